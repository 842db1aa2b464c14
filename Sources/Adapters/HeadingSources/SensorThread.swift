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
    /// The number of reads that failed, and the code of the last failure.
    var failures: UInt64 = 0
    var code: Int32 = 0
    var isStopping = false
    /// The start of the reads that are in progress; nil while the thread waits for the next ones.
    var readBegin: Instant?
  }

  /// A loop that is too busy loses the oldest samples.
  private static let most = 256
  private static let longestRead = Span.seconds(1)

  private let state = Mutex(State())
  private let wakeUp: WakeUp
  /// The number of samples for which the loop is woken.
  private let batch: Int

  init(batch: Int = 1) throws(SystemCallError) {
    self.batch = batch
    wakeUp = try WakeUp()
  }

  func source(on loop: Loop, _ body: @escaping () -> Void) throws(SystemCallError) -> IOSource { try wakeUp.source(on: loop, body) }

  func add(_ samples: [SensorSample], failure: Int32?) {
    let isDue = state.withLock { state in
      state.readBegin = nil
      state.samples += samples
      if state.samples.count > Self.most { state.samples.removeFirst(state.samples.count - Self.most) }
      if let failure { (state.failures, state.code) = (state.failures + 1, failure) }
      return state.samples.count >= batch || failure != nil
    }
    if isDue { wakeUp.send() }
  }

  /// Notes the start of reads, which ends with `add`.
  func beginRead(at time: Instant) { state.withLock { $0.readBegin = time } }

  /// Takes the samples, the number of failed reads, and the code of the last one.
  func take() -> (samples: [SensorSample], failures: UInt64, code: Int32) {
    state.withLock { state in
      defer { (state.samples, state.failures) = ([], 0) }
      return (state.samples, state.failures, state.code)
    }
  }

  var isStopping: Bool { state.withLock { $0.isStopping } }
  var isReading: Bool { state.withLock { $0.readBegin != nil } }

  /// Whether the driver has not answered a read for so long that another thread would hang as well.
  func isHanging(at now: Instant) -> Bool { state.withLock { $0.readBegin.map { now - $0 >= Self.longestRead } ?? false } }

  func stop() { state.withLock { $0.isStopping = true } }
}

/// Reads the attributes of sensors at a fixed rate until the exchange is stopped.
struct SensorPolling: Sendable {
  let sensors: [IIOSensor]
  let interval: Span

  func run(_ exchange: SensorExchange) {
    var channels = sensors.map { Channel($0) }
    var next = Self.now
    while !exchange.isStopping {
      var (samples, failure): ([SensorSample], Int32?) = ([], nil)
      exchange.beginRead(at: Self.now)
      for index in channels.indices {
        do throws(SystemCallError) {
          samples.append(try channels[index].read())
        } catch {
          failure = error.code
        }
      }
      exchange.add(samples, failure: failure)
      // A driver that takes longer than the interval is read less often.
      next = max(next + interval, Self.now)
      Self.wait(until: next)
    }
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

  init(_ sensor: IIOSensor) {
    self.sensor = sensor
    axes = IIOQuantity.axes.map { AttributeFile("\(sensor.device.folder)/in_\(sensor.quantity.rawValue)_\($0)_raw") }
  }

  mutating func read() throws(SystemCallError) -> SensorSample {
    var raw = SpaceVector.zero
    for axis in 0..<3 { raw[axis] = try axes[axis].number() }
    return SensorSample(quantity: sensor.quantity, value: sensor.converted(raw), raw: raw, time: SensorPolling.now)
  }
}

/// An attribute that is opened with its first read, and again after an error.
private final class AttributeFile {
  private let path: String
  private var file: SysfsFile?

  init(_ path: String) { self.path = path }

  func number() throws(SystemCallError) -> Double {
    if file == nil { file = SysfsFile(path) }
    guard let text = try file?.text() else { throw .last("open", path) }
    guard let number = Double(text), number.isFinite else {
      file = nil
      throw SystemCallError(call: "read", code: EBADMSG)
    }
    return number
  }
}
