import EventLoop
import Glibc
import Headings
import Instants
import Synchronization

/// A sample of one sensor in the frame of the machine.
struct SensorSample: Sendable {
  let quantity: IIOQuantity
  let value: SpaceVector
  /// The kernel's values, to recognise a driver that repeats them.
  let raw: SpaceVector
  /// CLOCK_MONOTONIC.
  let time: Instant
}

/// The exchange between the event loop and the thread that waits for the drivers.
///
/// A read of an attribute takes as long as the chip converts, and for ever if its bus hangs: neither may stop the loop.
final class SensorExchange: Sendable {
  struct State {
    var samples: [SensorSample] = []
    /// The reads since the loop was woken.
    var reads = 0
    /// The number of reads in which a sensor failed, and the last error of the magnetometer's driver.
    var failures: UInt64 = 0
    var fieldError: Int32?
    /// Scans of a buffer that repeat the one before, and the times at which a buffer was full.
    var repeats = 0
    var overruns = 0
    /// The sensors that are read from buffers, and the reason why the others are not.
    var buffered: [IIOQuantity] = []
    var obstacle: String?
    var isStopping = false
    /// The time between two reads while each sample is wanted; nil for that of the start, which is longer at rest.
    var fastInterval: Span?
    /// Whether the thread has ended, and has released the buffers.
    var hasEnded = false
    /// The start of the reads that are in progress; nil while the thread waits for the next ones.
    var readBegin: Instant?
  }

  /// A loop that is too busy loses the oldest samples.
  private static let most = 256
  private static let longestRead = Span.seconds(1)
  /// The reads of sensors at rest for which the loop is woken.
  private static let restReads = 4

  private let state = Mutex(State())
  private let wakeUp: WakeUp
  /// The number of samples, or of failures, for which the loop is woken.
  /// 1 wakes it with each read, also with one without a sample.
  private let batch: Int

  init(batch: Int = 1) throws(SystemCallError) {
    self.batch = batch
    wakeUp = try WakeUp()
  }

  func source(on loop: Loop, _ body: @escaping () -> Void) throws(SystemCallError) -> IOSource { try wakeUp.source(on: loop, body) }

  /// Adds the result of a read.
  ///
  /// - Parameters:
  ///   - errors: the error of each sensor that failed.
  ///   - areAtRest: whether the samples say the same as those before, so that they may wait for others.
  func add(_ samples: [SensorSample], errors: [IIOQuantity: Int32] = [:], repeats: Int = 0, overruns: Int = 0, areAtRest: Bool = false) {
    let isDue = state.withLock { state in
      state.readBegin = nil
      (state.repeats, state.overruns) = (state.repeats + repeats, state.overruns + overruns)
      state.samples += samples
      if state.samples.count > Self.most { state.samples.removeFirst(state.samples.count - Self.most) }
      if !errors.isEmpty { state.failures += 1 }
      state.fieldError = errors[.field] ?? state.fieldError
      state.reads += 1
      let mayWait = areAtRest && errors.isEmpty && state.reads < Self.restReads
      return batch == 1 ? !mayWait : state.samples.count >= batch || state.failures >= UInt64(batch)
    }
    if isDue { wakeUp.send() }
  }

  /// Notes the start of reads, which ends with `add`.
  func beginRead(at time: Instant) { state.withLock { $0.readBegin = time } }

  /// Notes which sensors are read from buffers.
  func note(buffered: [IIOQuantity], obstacle: String?) { state.withLock { ($0.buffered, $0.obstacle) = (buffered, obstacle) } }

  /// Takes the samples and the counts since the last call.
  func take() -> State {
    state.withLock { state in
      let taken = state
      (state.samples, state.failures, state.fieldError, state.repeats, state.overruns, state.reads) = ([], 0, nil, 0, 0, 0)
      return taken
    }
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }
  var isReading: Bool { state.withLock { $0.readBegin != nil } }

  /// Whether the driver has not answered a read for so long that another thread would hang as well.
  func isHanging(at now: Instant) -> Bool { state.withLock { $0.readBegin.map { now - $0 >= Self.longestRead } ?? false } }

  func stop() { state.withLock { $0.isStopping = true } }

  /// The time between two reads while each sample is wanted; nil for that of the start, which is longer at rest.
  var fastInterval: Span? {
    get { state.withLock { $0.fastInterval } }
    set { state.withLock { $0.fastInterval = newValue } }
  }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  func end() { state.withLock { ($0.hasEnded, $0.readBegin) = (true, nil) } }
}

/// Reads sensors regularly until the exchange is stopped: from the buffers of their devices, or else from attributes.
struct SensorReading: Sendable {
  let sensors: [IIOSensor]
  let interval: Span
  /// The folder of character devices; nil reads attributes only.
  let devices: String?
  /// The folder of the devices' triggers.
  let triggers: String
  /// The exchange of the thread before, which may still hold the buffers.
  let previous: SensorExchange?

  /// The time between two reads of a source that reports nothing.
  private static let silence = Span.milliseconds(500)

  func run(_ exchange: SensorExchange) {
    defer { exchange.end() }
    // It ends within an interval, unless its driver hangs.
    for _ in 0..<50 where previous?.hasEnded == false { Self.wait(until: Self.now + .milliseconds(10)) }
    exchange.beginRead(at: Self.now)
    let (buffers, others) = openBuffers(exchange)
    exchange.add([])
    var channels = others.map { Channel($0) }
    var pace = ReadingPace()
    var next = Self.now
    var last = next
    while !exchange.isStopping {
      var (samples, errors): ([SensorSample], [IIOQuantity: Int32]) = ([], [:])
      var (repeats, overruns) = (0, 0)
      if !channels.isEmpty { exchange.beginRead(at: Self.now) }
      for buffer in buffers {
        let round = buffer.read(at: Self.now)
        samples += round.samples
        if let failure = round.failure { for quantity in buffer.quantities { errors[quantity] = failure } }
        (repeats, overruns) = (repeats + round.repeats, overruns + round.overruns)
      }
      for index in channels.indices {
        do throws(SystemCallError) {
          samples.append(try channels[index].read())
        } catch {
          errors[channels[index].quantity] = error.code
        }
      }
      for sample in samples { pace.take(sample) }
      if !samples.isEmpty || !errors.isEmpty || repeats > 0 || Self.now - last >= Self.silence || !channels.isEmpty {
        last = Self.now
        // The heading of a field needs the other measurements of its time.
        samples.sort { $0.time == $1.time ? $0.quantity.order < $1.quantity.order : $0.time < $1.time }
        let isFast = exchange.fastInterval != nil
        exchange.add(
          samples, errors: errors, repeats: repeats, overruns: overruns, areAtRest: !isFast && !samples.isEmpty && pace.isAtRest(at: next)
        )
      }
      // A driver that takes longer than the interval is read less often.
      next = max(next + (exchange.fastInterval ?? pace.interval(interval, at: next)), Self.now)
      Self.wait(until: next)
    }
    exchange.beginRead(at: Self.now)
    for buffer in buffers { buffer.close() }
  }

  /// Returns the buffers, and the sensors of the devices that have none.
  private func openBuffers(_ exchange: SensorExchange) -> (buffers: [IIOBuffer], others: [IIOSensor]) {
    guard let devices else { return ([], sensors) }
    var (buffers, others, obstacles): ([IIOBuffer], [IIOSensor], [String]) = ([], [], [])
    var buffered: [IIOQuantity] = []
    for folder in Set(sensors.map(\.device.folder)).sorted() {
      let parts = sensors.filter { $0.device.folder == folder }
      do throws(IIOBuffer.Obstacle) {
        buffers.append(try IIOBuffer(parts, devices: devices, triggers: triggers))
        buffered += parts.map(\.quantity)
      } catch {
        others += parts
        if let reason = error.reason { obstacles.append(reason) }
      }
    }
    exchange.note(buffered: buffered, obstacle: obstacles.first)
    // The order in which the sensors were given: the field is last.
    return (buffers, others.sorted { $0.quantity.order < $1.quantity.order })
  }

  fileprivate static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  private static func wait(until time: Instant) {
    var due = timespec(tv_sec: Int(time.microseconds / 1_000_000), tv_nsec: Int(time.microseconds % 1_000_000) * 1000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
  }
}

/// The three attributes of a sensor.
private struct Channel {
  private let sensor: IIOSensor
  private let axes: [AttributeFile]
  var quantity: IIOQuantity { sensor.quantity }

  init(_ sensor: IIOSensor) {
    self.sensor = sensor
    axes = IIOQuantity.axes.map { AttributeFile("\(sensor.device.folder)/in_\(sensor.quantity.rawValue)_\($0)_raw") }
  }

  mutating func read() throws(SystemCallError) -> SensorSample {
    var raw = SpaceVector.zero
    for axis in 0..<3 { raw[axis] = try axes[axis].number() }
    return SensorSample(quantity: quantity, value: sensor.converted(raw), raw: raw, time: SensorReading.now)
  }
}

/// An attribute that is opened with its first read, and again after an error.
private final class AttributeFile {
  private let path: String
  private var file: SysfsFile?

  init(_ path: String) { self.path = path }

  func number() throws(SystemCallError) -> Double {
    if file == nil { file = SysfsFile(path) }
    if let number = try file?.integer() { return Double(number) }
    guard let text = try file?.text() else { throw .last("open", path) }
    guard let number = Double(text), number.isFinite else {
      file = nil
      throw SystemCallError(call: "read", code: EBADMSG)
    }
    return number
  }
}
