import EventLoop
import Glibc
import Headings
import Instants
import Locations
import Motion
import Orientation

/// The magnetometer of this machine, with its accelerometer and gyroscope, read through industrial I/O of the kernel.
public final class IIOSource: HeadingSource {
  public let name = "iio"
  // Longer than the source itself waits: 2.5 s, or 1.5 s after its drivers have switched the sensors on.
  public let patience = Span.seconds(6)
  public var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  public var onHealthChange: () -> Void = {}
  public private(set) var health = HeadingHealth(.off)
  private let loop: Loop
  private let root: String
  private let characterDevices: String
  private let interval: Span
  public var isFast = false {
    didSet { if isFast != oldValue { threads.current?.fastInterval = fastInterval } }
  }
  private let shared: MachineSensors
  private var search: SensorSearch
  /// The devices that are read, and the name of the magnetometer, while the source is on.
  private var used: (choice: SensorChoice, device: String)?
  private var threads = SensorThreads()
  private var wakes: IOSource?
  private var check = SampleCheck()
  private var watch = SensorWatch()
  private var holdTimer: Timer?
  private var deviceWatch: DeviceWatch?
  /// Whether a magnetometer was present when the devices last changed.
  private var wasPresent = false
  /// The reason why a sensor is not read from its buffer, and why a gyroscope is not used.
  private var obstacle: String?
  private var omission: String?

  /// - Parameters:
  ///   - root: the folder of devices; another one in tests.
  ///   - characterDevices: the folder of the devices' buffers; another one in tests.
  ///   - records: the folder of udev's records, which change when devices come and go; nil for the system's.
  ///   - interval: the time between two samples of a device that moves, unless the source is fast.
  ///   - shared: receives the samples of the accelerometer and of the gyroscope.
  public init(
    _ loop: Loop, root: String = "/sys/bus/iio/devices", characterDevices: String = "/dev", records: String? = nil,
    interval: Span = .milliseconds(40), shared: MachineSensors = MachineSensors()
  ) {
    (self.loop, self.root, self.characterDevices, self.interval) = (loop, root, characterDevices, interval)
    let records = records ?? DeviceWatch.records
    search = SensorSearch(in: root, records: records)
    self.shared = shared
    holdTimer = loop.timer { [unowned self] in onHealthChange() }
    // Watching begins before the search, so that no change is lost between both.
    deviceWatch = DeviceWatch(loop, records: records) { [unowned self] in devicesChanged() }
    wasPresent = choice != nil
  }

  deinit {
    threads.stop()
  }

  public var device: String? { used?.device ?? choice?.magnetometer.identity }
  public var isPresent: Bool { !watch.isHeld(at: loop.now) && choice != nil }
  public var hasAccelerometer: Bool { threads.current == nil ? choice?.accelerometer != nil : watch.hasAccelerometer }

  public var counts: HeadingCounts { check.counts }

  public func start() {
    guard threads.current == nil else { return }
    health = HeadingHealth(.starting)
    search.renew()
    // Before sysfs is read, because a driver that hangs would stop the loop as well.
    if threads.isHanging(at: loop.now) { return fail(.failing, "the driver of the sensors does not answer") }
    guard let choice else { return fail(.gone, "this machine has no magnetometer") }
    do {
      let conversions = try choice.conversions(shared.accelerationSign)
      let sensors = conversions.sensors
      let device = choice.magnetometer.identity
      watch.begin(device, hasAccelerometer: sensors.contains { $0.quantity == .acceleration }, at: loop.now)
      let exchange = try SensorExchange()
      exchange.fastInterval = fastInterval
      wakes = try exchange.source(on: loop) { [unowned self] in receive() }
      let reading = SensorReading(
        sensors: sensors, interval: interval, devices: watch.avoidsBuffers ? nil : characterDevices, triggers: root,
        previous: threads.stopped)
      try LoopThread.start(named: "beaconmon-iio") { reading.run(exchange) }
      threads.begin(exchange)
      used = (choice, device)
      check.begin()
      (obstacle, omission) = (nil, conversions.remark)
    } catch let error as IIOSensor.Refusal {
      search.note(failed: error.part)
      // Another device may do; after all of them have failed, the next attempt begins with the first again.
      if search.hasOther { return start() }
      fail(.failing, error.reason)
    } catch {
      fail(.failing, "the sensors cannot be read: \(error)")
    }
  }

  public func stop() {
    end()
    if health.state != .failing { health = HeadingHealth(.off) }
  }

  public func finish() {
    guard let stopped = threads.stopped else { return }
    // The kernel keeps a buffer enabled after its program has ended.
    for _ in 0..<50 where !stopped.hasEnded { usleep(10_000) }
  }

  private func end() {
    let wasReading = threads.current != nil
    threads.stop()
    (wakes, used) = (nil, nil)
    if wasReading { shared.onEnd() }
  }

  private func fail(_ state: HeadingSourceStatus.State, _ note: String) {
    end()
    search.renew()
    if state == .gone { wasPresent = false }
    health = HeadingHealth(state, note)
    if state == .failing {
      watch.fail(at: loop.now)
      // Clients that were refused meanwhile learn that the sensor may be tried again.
      holdTimer?.arm(at: watch.heldUntil)
    }
    onHealthChange()
  }

  /// Fails because of the sensors that are read, and prefers others from now on.
  private func fail(_ failure: SensorWatch.Failure, of choice: SensorChoice) {
    let label = choice.magnetometer.label
    if case .error(let code) = failure, [ENODEV, ENOENT, ENXIO].contains(code) { return fail(.gone, "\(label) was removed") }
    if let part = failure == .noAcceleration ? choice.accelerationPart : choice.fieldPart { search.note(failed: part) }
    switch failure {
    case .error(let code): fail(.failing, "the driver of \(label) reports errors: \(String(cString: strerror(code)))")
    case .refused(let isStale):
      fail(.failing, isStale ? "\(label) repeats old values" : "the samples of \(label) are zero or beyond its range")
    case .noField: fail(.failing, "\(label) sends no samples")
    case .noAcceleration: fail(.failing, "the accelerometer sends no samples")
    }
  }

  /// Checks whether a sensor was plugged in or removed.
  /// While the source is on, its samples show the removal of one that is used.
  private func devicesChanged() {
    if let used {
      let choice = search.choice(keeping: used.choice.magnetometer)
      guard let choice, choice != used.choice, choice.magnetometer == used.choice.magnetometer else { return }
      // An accelerometer or a gyroscope has come.
      return restart()
    }
    search.renew()
    guard (choice != nil) != wasPresent else { return }
    wasPresent.toggle()
    health = HeadingHealth(.off)
    onHealthChange()
  }

  private func receive() {
    guard let exchange = threads.current else { return }
    let taken = exchange.take()
    obstacle = taken.obstacle
    check.count(.error, times: Int(clamping: taken.failures))
    check.count(.stale, times: taken.repeats)
    check.count(.overrun, times: taken.overruns)
    if let code = taken.fieldError { watch.note(error: code) }
    for sample in taken.samples where threads.current === exchange { take(sample) }
    guard threads.current === exchange, let used else { return }
    let (isFieldBuffered, isAccelerationBuffered) = (taken.buffered.contains(.field), taken.buffered.contains(.acceleration))
    switch watch.step(isFieldBuffered: isFieldBuffered, isAccelerationBuffered: isAccelerationBuffered, at: loop.now) {
    case .avoidBuffers: restart()
    case .fail(let failure): fail(failure, of: used.choice)
    case nil: break
    }
  }

  private func restart() {
    end()
    start()
  }

  /// The reason why attributes are read, or why a gyroscope is not used; nil if there is none.
  private var remark: String? {
    if let omission { return omission }
    let reason = watch.avoidsBuffers ? "it has no new samples" : obstacle
    return reason.map { "attributes are read \(rate) times a second instead of a buffer: \($0)" }
  }

  private func take(_ sample: SensorSample) {
    switch sample.quantity {
    case .acceleration:
      watch.takeAcceleration(at: loop.now)
      if let part = used?.choice.accelerationPart { search.note(working: part) }
      check.take(acceleration: sample.value)
      onMeasurement(.acceleration(sample.value), sample.time)
      shared.onSample(MotionSample(.acceleration(sample.value), at: sample.time))
    case .rotation:
      check.take(rotation: sample.value, at: sample.time)
      onMeasurement(.rotation(sample.value), sample.time)
      shared.onSample(MotionSample(.rotation(sample.value), at: sample.time))
    case .field:
      guard check.take(field: sample) else { return watch.refuseField(isStale: check.isStale) }
      watch.takeField(at: loop.now)
      if health.state != .measuring {
        health = HeadingHealth(.measuring)
        health.remark = remark
        if let used { search.note(working: used.choice.fieldPart) }
        onHealthChange()
      }
      onMeasurement(.field(sample.value), sample.time)
    }
  }
}

extension IIOSource {
  private var rate: Int { Int((1 / (fastInterval ?? interval).seconds).rounded()) }

  /// The time between two samples while a client wants each of them.
  private var fastInterval: Span? { isFast ? min(interval, .milliseconds(20)) : nil }

  /// The devices in use, or else the present ones.
  private var choice: SensorChoice? { used?.choice ?? search.choice(at: loop.now) }
}
