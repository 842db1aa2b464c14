internal import DBus
internal import EventLoop
internal import MonitorClient

/// Asks the service one question, over a connection that ends with it.
final class ServiceQuery<Answer> {
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

  private func settle(_ answer: Result<Answer, DBusError>) {
    completion?(answer)
    completion = nil
  }
}

extension ServiceQuery where Answer: Sendable {
  static func ask(_ bus: Bus, _ question: @escaping Question) async throws(DBusError) -> Answer {
    let thread: ServiceThread
    do throws(SystemCallError) { thread = try ServiceThread.current() } catch { throw DBusError.disconnected("\(error)") }
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Answer, DBusError>, Never>) in
      thread.perform { room in
        room.ask(bus.address, question) { answer in
          // Keeps the thread until the answer.
          withExtendedLifetime(thread) {}
          continuation.resume(returning: answer)
        }
      }
    }
    return try answer.get()
  }
}
