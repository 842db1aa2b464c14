import Diagnosis
import EventLoop
import Glibc
import Instants
import Synchronization

/// Runs a reader of facts with a time limit: a file of the kernel or of a lost server can block its reader for ever.
public enum TimedProbe {
  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// The reason of a reader that fails.
  public struct Failure: Error, Hashable, Sendable {
    public let description: String

    public init(_ description: String) { self.description = description }
  }

  /// Returns the result of `body`, which runs on a thread of its own.
  ///
  /// A thread that is late continues without effect until the process ends.
  public static func run<Value: Sendable>(
    _ limit: Span, _ body: @escaping @Sendable () throws(Failure) -> Value
  ) -> Probed<Value> {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .failed("\(SystemCallError.last("pipe"))") }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let answer = Answer<Probed<Value>>()
    do throws(SystemCallError) {
      try LoopThread.start(named: "probe") {
        let result: Probed<Value>
        do throws(Failure) { result = .found(try body()) } catch { result = .failed(error.description) }
        answer.value.withLock { $0 = result }
        // The end of the pipe wakes the waiting thread.
        close(writing)
      }
    } catch {
      close(writing)
      return .failed("\(error)")
    }
    var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    let deadline = BootClock.uptime + limit
    while poll(&ready, 1, Int32(clamping: max(0, (deadline - BootClock.uptime).microseconds / 1000 + 1))) < 0, errno == EINTR {}
    return answer.value.withLock { $0 } ?? .failed("no answer within \(limit.text)")
  }

  /// Returns whether a file exists; also false if its disk does not answer.
  public static func exists(_ path: String) -> Bool {
    let answer: Probed<Bool> = run(.seconds(1)) { access(path, F_OK) == 0 }
    return answer.value ?? false
  }
}
