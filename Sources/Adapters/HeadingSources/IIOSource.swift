import EventLoop
import Glibc
import Headings
import Instants
import Locations
import Motion
import Orientation
import Records

/// The magnetometer of this machine, with its accelerometer and gyroscope, read through industrial I/O of the kernel.
public final class IIOSource: HeadingSource {
  /// The reason why a sample is not used.
  enum Refusal: UInt8, CaseIterable, Sendable {
    /// The driver reports an error.
    case error
    /// All axes are zero.
    case zero
    case saturated
    /// The driver repeats old values.
    case stale
    /// The kernel's buffer was full, so that scans are lost.
    case overrun
  }

  public let name = "iio"
  public let patience = Span.seconds(4)
  public var onMeasurement: (HeadingMeasurement, Instant) -> Void = { _, _ in }
  public var onHealthChange: () -> Void = {}
  public private(set) var health = HeadingHealth(.off)
  private let loop: Loop
  private let root: String
  private let records: String
  private let characterDevices: String
  private let interval: Span
  public var isFast = false {
    didSet { if isFast != oldValue { exchange?.fastInterval = fastInterval } }
  }
  private let shared: MachineSensors
  private var found: (choice: SensorChoice?, time: Instant)?
  /// The devices that are read, and the name of the magnetometer, while the source is on.
  private var used: (choice: SensorChoice, device: String)?
  /// The folders of devices that did not work, the latest last, so that another one is tried.
  private var failed: [String] = []
  private var exchange: SensorExchange?
  private var wakes: IOSource?
  /// A thread that still waits for a driver after a stop.
  private var lingering: SensorExchange?
  private var samples: UInt64 = 0
  private var refusals = Tally<Refusal>()
  private var stale = StaleTest()
  private var lastGood = Instant.never
  private var lastAcceleration = Instant.never
  private var heldUntil = Instant(microseconds: .min)
  private var holdTimer: Timer?
  private var watch: DeviceWatch?
  /// Whether a magnetometer was present when the devices last changed.
  private var wasPresent = false
  /// The time until which attributes are read, after a buffer sent nothing.
  private var bufferAttempt = Instant(microseconds: .min)
  private var isBuffered = false
  /// Whether the sensors that are on have an accelerometer.
  private var isReadingAccelerometer = false
  /// The reason why a sensor is not read from its buffer, and why a gyroscope is not used.
  private var obstacle: String?
  private var omission: String?
  /// Whether a field came since the last one that was used.
  private var isSampling = false

  /// The time for which a search for devices is valid.
  private static let searchAge = Span.seconds(1)
  /// A source without usable samples for this long has failed.
  private static let sampleTimeout = Span.seconds(2)
  /// The pause after a failure, in which another source is used.
  private static let pause = Span.seconds(5)
  /// Machines have few sensors; more are forgotten.
  private static let mostFailures = 16
  /// The pause after a buffer that sent nothing.
  private static let bufferPause = Span.seconds(600)
  /// µT: the earth's field has at most 67 µT, and chips end at 1 to 5 mT.
  private static let strongest = 4_900.0

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
    self.records = records ?? DeviceWatch.records
    self.shared = shared
    wasPresent = choice != nil
    holdTimer = loop.timer { [unowned self] in onHealthChange() }
    watch = DeviceWatch(loop, records: self.records) { [unowned self] in devicesChanged() }
  }

  deinit {
    exchange?.stop()
  }

  public var device: String? { used?.device ?? choice?.magnetometer.identity }
  public var isPresent: Bool { choice != nil && loop.now >= heldUntil }
  public var hasAccelerometer: Bool { exchange == nil ? choice?.accelerometer != nil : isReadingAccelerometer }

  public var counts: HeadingCounts { HeadingCounts(samples: samples, refused: refusals.counts) }

  public func start() {
    guard exchange == nil else { return }
    health = HeadingHealth(.starting)
    found = nil
    // Before sysfs is read, because a driver that hangs would stop the loop as well.
    if let lingering, lingering.isHanging(at: loop.now) { return fail(.failing, "the driver of the sensors does not answer") }
    guard let choice else { return fail(.gone, "this machine has no magnetometer") }
    do {
      let conversions = try choice.conversions(shared.accelerationSign)
      let sensors = conversions.sensors
      let exchange = try SensorExchange()
      exchange.fastInterval = fastInterval
      wakes = try exchange.source(on: loop) { [unowned self] in receive() }
      let reading = SensorReading(
        sensors: sensors, interval: interval, devices: loop.now >= bufferAttempt ? characterDevices : nil, triggers: root,
        previous: lingering)
      try LoopThread.start(named: "beaconmon-iio") { reading.run(exchange) }
      self.exchange = exchange
      used = (choice, choice.magnetometer.identity)
      isReadingAccelerometer = sensors.contains { $0.quantity == .acceleration }
      (lastGood, lastAcceleration) = (loop.now, loop.now)
      (stale, isBuffered, isSampling, obstacle, omission) = (StaleTest(), false, false, nil, conversions.remark)
    } catch let error as IIOSensor.Refusal {
      note(failed: error.device)
      // Another device may do; after all of them have failed, the next attempt begins with the first again.
      if let next = SensorChoice(in: root, records: records, failed: failed), !next.uses(anyOf: failed) {
        return start()
      }
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
    guard let lingering else { return }
    // The kernel keeps a buffer enabled after its program has ended.
    for _ in 0..<50 where !lingering.hasEnded { usleep(10_000) }
  }

  private func end() {
    exchange?.stop()
    // A thread that is in a read stays known, because its driver may hang.
    if let exchange, lingering?.isReading != true { lingering = exchange }
    let wasReading = exchange != nil
    (exchange, wakes, used) = (nil, nil, nil)
    if wasReading { shared.onEnd() }
  }

  /// Prefers other devices from now on.
  private func note(failed device: IIODevice) {
    failed.removeAll { $0 == device.folder }
    failed.append(device.folder)
    if failed.count > Self.mostFailures { failed.removeFirst() }
  }

  private func fail(_ state: HeadingSourceStatus.State, _ note: String) {
    end()
    found = nil
    if state == .gone { wasPresent = false }
    health = HeadingHealth(state, note)
    if state == .failing {
      heldUntil = loop.now + Self.pause
      // Clients that were refused meanwhile learn that the sensor may be tried again.
      holdTimer?.arm(at: heldUntil)
    }
    onHealthChange()
  }

  /// Checks whether a sensor was plugged in or removed.
  /// While the source is on, its samples show the removal of one that is used.
  private func devicesChanged() {
    if let used {
      let choice = SensorChoice(in: root, records: records, failed: failed, keeping: used.choice.magnetometer)
      guard let choice, choice != used.choice, choice.magnetometer == used.choice.magnetometer else { return }
      // An accelerometer or a gyroscope has come.
      end()
      return start()
    }
    found = nil
    guard (choice != nil) != wasPresent else { return }
    wasPresent.toggle()
    health = HeadingHealth(.off)
    onHealthChange()
  }

  private func receive() {
    guard let exchange else { return }
    let taken = exchange.take()
    let (failures, code) = (taken.failures, taken.code)
    (isBuffered, obstacle) = (taken.buffered.contains(.field), taken.obstacle)
    for _ in 0..<min(failures, 1000) { refusals.count(.error) }
    for _ in 0..<min(taken.repeats, 1000) { refusals.count(.stale) }
    for _ in 0..<min(taken.overruns, 1000) { refusals.count(.overrun) }
    for sample in taken.samples where self.exchange === exchange { take(sample) }
    guard self.exchange === exchange else { return }
    guard loop.now - lastGood >= Self.sampleTimeout else {
      // Without it, the direction of a tilted device would be wrong.
      if hasAccelerometer, loop.now - lastAcceleration >= Self.sampleTimeout {
        if taken.buffered.contains(.acceleration) { return avoidBuffers() }
        if let accelerometer = used?.choice.accelerometer { note(failed: accelerometer) }
        fail(.failing, "the accelerometer sends no samples")
      }
      return
    }
    let label = used?.choice.magnetometer.label ?? "the magnetometer"
    if [ENODEV, ENOENT, ENXIO].contains(code) { return fail(.gone, "\(label) was removed") }
    if isBuffered, !isSampling, failures == 0 { return avoidBuffers() }
    if let magnetometer = used?.choice.magnetometer { note(failed: magnetometer) }
    if failures > 0 { return fail(.failing, "the driver of \(label) reports errors: \(String(cString: strerror(code)))") }
    fail(.failing, stale.isStale ? "\(label) repeats old values" : "the samples of \(label) are zero or beyond its range")
  }

  /// Reads attributes from now on.
  /// The trigger of a buffer may not run, and a sensor hub sends nothing to it while its values stay the same.
  private func avoidBuffers() {
    bufferAttempt = loop.now + Self.bufferPause
    end()
    start()
  }

  /// The reason why attributes are read, or why a gyroscope is not used; nil if there is none.
  private var remark: String? {
    if let omission { return omission }
    let reason = loop.now < bufferAttempt ? "it has no new samples" : obstacle
    return reason.map { "attributes are read \(rate) times a second instead of a buffer: \($0)" }
  }

  private func take(_ sample: SensorSample) {
    switch sample.quantity {
    case .acceleration:
      lastAcceleration = loop.now
      stale.take(acceleration: sample.value)
      onMeasurement(.acceleration(sample.value), sample.time)
      shared.onSample(MotionSample(.acceleration(sample.value), at: sample.time))
    case .rotation:
      stale.take(rotation: sample.value, at: sample.time)
      onMeasurement(.rotation(sample.value), sample.time)
      shared.onSample(MotionSample(.rotation(sample.value), at: sample.time))
    case .field:
      samples += 1
      isSampling = true
      let strength = sample.value.length
      stale.take(field: sample.raw, at: sample.time)
      guard strength > 1e-3 else { return refusals.count(.zero) }
      guard strength < Self.strongest else { return refusals.count(.saturated) }
      guard !stale.isStale else { return refusals.count(.stale) }
      (lastGood, isSampling) = (loop.now, false)
      if health.state != .measuring {
        health = HeadingHealth(.measuring)
        health.remark = remark
        if let used { failed.removeAll { $0 == used.choice.magnetometer.folder } }
        onHealthChange()
      }
      onMeasurement(.field(sample.value), sample.time)
    }
  }
}

// MARK: Devices

extension IIOSource {
  private var rate: Int { Int((1 / (fastInterval ?? interval).seconds).rounded()) }

  /// The time between two samples while a client wants each of them.
  private var fastInterval: Span? { isFast ? min(interval, .milliseconds(20)) : nil }

  /// The present devices. The search is repeated after a while.
  private var choice: SensorChoice? {
    if let used { return used.choice }
    if let found, loop.now - found.time < Self.searchAge { return found.choice }
    let choice = SensorChoice(in: root, records: records, failed: failed)
    found = (choice, loop.now)
    return choice
  }
}
