internal import DBus
internal import EventLoop
internal import MonitorClient
import Synchronization

/// Whether the task that waits for an answer was cancelled.
final class QueryCancellation: Sendable {
  private let state = Mutex(false)

  var isCancelled: Bool { state.withLock { $0 } }
  func cancel() { state.withLock { $0 = true } }
}

/// A question that can end before its answer.
protocol CancellableQuery: AnyObject {
  func cancel()
}

/// Asks the service one question, over a connection that ends with it.
final class ServiceQuery<Answer>: CancellableQuery {
  typealias Question = @Sendable (MonitorClient, @escaping (Result<Answer, DBusError>) -> Void) -> Void

  private let connection: DBusConnection
  private var completion: ((Result<Answer, DBusError>) -> Void)?

  init(
    loop: Loop, address: BusAddress, question: @escaping Question, completion: @escaping (Result<Answer, DBusError>) -> Void
  ) throws(DBusError) {
    connection = try DBusConnection(loop: loop, address: address, persistence: .once)
    self.completion = completion
    connection.onStateChange = { [unowned self] in
      switch $0 {
      case .connecting: break
      case .connected: question(MonitorClient(connection)) { [weak self] in self?.settle($0) }
      case .disconnected(let reason): settle(.failure(reason))
      }
    }
  }

  /// Ends the question, and its connection with the sessions that the service has for it.
  func cancel() {
    settle(.failure(Self.cancelled))
    connection.close()
  }

  static var cancelled: DBusError { DBusError.disconnected("the task was cancelled") }

  private func settle(_ answer: Result<Answer, DBusError>) {
    completion?(answer)
    completion = nil
  }
}

extension ServiceQuery where Answer: Sendable {
  static func ask(_ bus: Bus, _ question: @escaping Question) async throws(DBusError) -> Answer {
    let thread: ServiceThread
    do throws(SystemCallError) { thread = try ServiceThread.current() } catch { throw DBusError.disconnected("\(error)") }
    let cancellation = QueryCancellation()
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Answer, DBusError>, Never>) in
        thread.perform { room in
          room.ask(bus.address, question, until: cancellation) { answer in
            // Keeps the thread until the answer.
            withExtendedLifetime(thread) {}
            continuation.resume(returning: answer)
          }
        }
      }
    } onCancel: {
      cancellation.cancel()
      thread.perform { $0.cancel(cancellation) }
    }
    return try answer.get()
  }
}
