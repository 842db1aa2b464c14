import EventLoop
import Headings
import Instants
import Motion
import Positioning

/// The accelerometer and the gyroscope of this machine, read for the motion of the device.
///
/// They are devices of industrial I/O of the kernel. They are looked for with each start, and again when one is plugged in or fails.
/// While the source of headings reads an accelerometer, its samples are used, and nothing else is read.
public final class IIOMotionSensors: MotionSensors {
  public var onSamples: ([MotionSample]) -> Void = { _ in }
  private let loop: Loop
  private let root: String
  private let records: String
  private let interval: Span
  private let batch: Int
  private let shared: MachineSensors
  private var plan: MotionSensorPlan
  private var threads = SensorThreads()
  private var wakes: IOSource?
  private var watch: DeviceWatch?
  private var timer: Timer?
  /// The devices that are read.
  private var used: Devices?

  /// The accelerometer, and a gyroscope that has the same axes if it is of the same chip.
  private struct Devices: Hashable {
    let accelerometer: IIODevice
    let gyroscope: IIODevice?
  }

  /// - Parameters:
  ///   - root: the folder of devices; another one in tests.
  ///   - records: the folder of udev's records, which change when devices come and go; nil for the system's.
  ///   - interval: the time between two samples: steps need twenty a second.
  ///   - batch: the samples of each sensor that are delivered together, so that the loop wakes up once a second.
  ///   - shared: has the samples of the source of headings.
  public init(
    _ loop: Loop, root: String = "/sys/bus/iio/devices", records: String? = nil, interval: Span = .milliseconds(40), batch: Int = 25,
    shared: MachineSensors = MachineSensors()
  ) {
    (self.loop, self.root, self.records) = (loop, root, records ?? DeviceWatch.records)
    (self.interval, self.batch, self.shared) = (interval, batch, shared)
    plan = MotionSensorPlan(batch: interval * Double(batch))
    timer = loop.timer { [unowned self] in perform(plan.expire(at: loop.now)) }
    shared.onSample = { [weak self] in if let self { perform(plan.take(shared: $0, at: self.loop.now)) } }
    shared.onEnd = { [weak self] in if let self { perform(plan.endSharing()) } }
  }

  deinit {
    threads.stop()
  }

  public var isOn = false {
    didSet {
      guard isOn != oldValue else { return }
      if isOn {
        watch = DeviceWatch(loop, records: records) { [unowned self] in perform(plan.changeDevices(areOthers: devices != used)) }
        perform(plan.switchOn())
      } else {
        watch = nil
        plan.switchOff()
        perform(.end)
      }
    }
  }

  private func perform(_ step: MotionSensorPlan.Step?) {
    switch step {
    case .search:
      end()
      search()
    case .end: end()
    case .deliver, nil: break
    }
    if timer?.due ?? .never != plan.deadline { timer?.arm(at: plan.deadline) }
    if case .deliver(let samples) = step { onSamples(samples) }
  }

  private func end() {
    threads.stop()
    (wakes, used) = (nil, nil)
  }

  /// The devices to read; nil without an accelerometer.
  private var devices: Devices? {
    // One in the base of a convertible rests while its display is turned.
    let devices = SensorChoice.byPlace(IIODevice.all(in: root), records: records)
    guard let accelerometer = devices.first(where: { $0.has(.acceleration) }) else { return nil }
    return Devices(accelerometer: accelerometer, gyroscope: ([accelerometer] + devices).first { $0.has(.rotation) })
  }

  private func search() {
    if threads.isHanging(at: loop.now) { return plan.pause(at: loop.now) }
    guard let devices else {
      // Without udev no change of devices is noticed.
      return watch?.isWatching == true ? plan.wait() : plan.pause(at: loop.now)
    }
    do {
      var sensors: [IIOSensor] = []
      // A gyroscope that cannot be used is not necessary.
      if let gyroscope = devices.gyroscope, let sensor = try? IIOSensor(gyroscope, .rotation) { sensors.append(sensor) }
      sensors.append(try IIOSensor(devices.accelerometer, .acceleration, sign: shared.accelerationSign))
      let exchange = try SensorExchange(batch: batch * sensors.count)
      wakes = try exchange.source(on: loop) { [unowned self] in receive() }
      // Attributes are enough for motion, and leave the buffers to the source of headings.
      let reading = SensorReading(sensors: sensors, interval: interval, devices: nil, triggers: root, previous: nil)
      try LoopThread.start(named: "beaconmon-move") { reading.run(exchange) }
      threads.begin(exchange)
      used = devices
      plan.begin(at: loop.now)
    } catch {
      // Without motion everything works as without sensors. Attributes that cannot be used now may be right later.
      end()
      plan.pause(at: loop.now)
    }
  }

  private func receive() {
    guard let exchange = threads.current else { return }
    let samples = exchange.take().samples.compactMap { sample -> MotionSample? in
      switch sample.quantity {
      case .acceleration: MotionSample(.acceleration(sample.value), at: sample.time)
      case .rotation: MotionSample(.rotation(sample.value), at: sample.time)
      case .field: nil
      }
    }
    // A gyroscope alone does not show rest.
    guard samples.contains(where: { if case .acceleration = $0.value { true } else { false } }) else { return }
    plan.takeSamples(at: loop.now)
    perform(.deliver(samples))
  }
}
