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
  /// The samples of the source of headings that are not delivered yet; nil while it reads no accelerometer.
  private var passedOn: [MotionSample]?
  private var threads = SensorThreads()
  private var wakes: IOSource?
  private var watch: DeviceWatch?
  private var retry: Timer?
  private var lastSample = Instant.never

  /// The silence after which the devices are searched for again, and the pause between two such searches.
  private static let sampleTimeout = Span.seconds(3)
  private static let pause = Span.seconds(30)

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
    retry = loop.timer { [unowned self] in search() }
    shared.onSample = { [weak self] in self?.take($0) }
    shared.onEnd = { [weak self] in if self?.passedOn != nil { self?.search() } }
  }

  deinit {
    threads.stop()
  }

  public var isOn = false {
    didSet {
      guard isOn != oldValue else { return }
      if isOn {
        watch = DeviceWatch(loop, records: records) { [unowned self] in if threads.current == nil, passedOn == nil { search() } }
        search()
      } else {
        watch = nil
        retry?.arm(at: .never)
        end()
      }
    }
  }

  private func end() {
    threads.stop()
    (wakes, passedOn) = (nil, nil)
  }

  /// Takes a sample that the source of headings has read.
  private func take(_ sample: MotionSample) {
    guard isOn else { return }
    guard var samples = passedOn else {
      // A gyroscope alone does not show rest.
      guard case .acceleration = sample.value else { return }
      end()
      passedOn = [sample]
      return deliver([])
    }
    passedOn = nil
    samples.append(sample)
    guard let first = samples.first, sample.time - first.time >= interval * Double(batch) else {
      passedOn = samples
      return
    }
    passedOn = []
    deliver(samples)
  }

  /// Delivers samples of the source of headings, and searches for own sensors if no more follow.
  private func deliver(_ samples: [MotionSample]) {
    retry?.arm(after: Self.sampleTimeout)
    if !samples.isEmpty { onSamples(samples) }
  }

  private func search() {
    end()
    if threads.isHanging(at: loop.now) {
      retry?.arm(after: Self.pause)
      return
    }
    // One in the base of a convertible rests while its display is turned.
    let devices = SensorChoice.byPlace(IIODevice.all(in: root), records: records)
    guard let accelerometer = devices.first(where: { $0.has(.acceleration) }) else {
      // Without udev nothing says when one comes.
      if watch?.isWatching != true { retry?.arm(after: Self.pause) }
      return
    }
    // A gyroscope of the same chip has the same axes.
    let gyroscope = ([accelerometer] + devices).first { $0.has(.rotation) }
    do {
      var sensors: [IIOSensor] = []
      // A gyroscope that cannot be used is not necessary.
      if let gyroscope, let sensor = try? IIOSensor(gyroscope, .rotation) { sensors.append(sensor) }
      sensors.append(try IIOSensor(accelerometer, .acceleration, sign: shared.accelerationSign))
      let exchange = try SensorExchange(batch: batch * sensors.count)
      wakes = try exchange.source(on: loop) { [unowned self] in receive() }
      // Attributes are enough for motion, and leave the buffers to the source of headings.
      let reading = SensorReading(sensors: sensors, interval: interval, devices: nil, triggers: root, previous: nil)
      try LoopThread.start(named: "beaconmon-move") { reading.run(exchange) }
      threads.begin(exchange)
      lastSample = loop.now
      retry?.arm(after: Self.sampleTimeout)
    } catch {
      // Without motion everything works as without sensors. Attributes that cannot be used now may be right later.
      end()
      retry?.arm(after: Self.pause)
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
    if samples.contains(where: { if case .acceleration = $0.value { true } else { false } }) {
      lastSample = loop.now
      retry?.arm(after: Self.sampleTimeout)
      onSamples(samples)
    } else if loop.now - lastSample >= Self.sampleTimeout {
      end()
      retry?.arm(after: Self.pause)
    }
  }
}
