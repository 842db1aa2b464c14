internal import DBus
internal import EventLoop
internal import MonitorClient

/// The objects that belong to the service thread and must not leave it.
final class ServiceContext {
  let loop: Loop
  var sessions: [ObjectIdentifier: RemoteSession] = [:]
  private var questions: [ObjectIdentifier: any CancellableQuery] = [:]
  private let inbox: ServiceInbox
  private var source: IOSource?

  init(_ inbox: ServiceInbox) throws(SystemCallError) {
    loop = try Loop()
    self.inbox = inbox
    source = try inbox.wakeUp.source(on: loop) { [unowned self] in for job in inbox.take() { job(self) } }
  }

  func ask<Answer>(
    _ address: BusAddress, _ question: @escaping ServiceQuery<Answer>.Question, until cancellation: QueryCancellation,
    completion: @escaping (Result<Answer, DBusError>) -> Void
  ) {
    // A later cancellation finds the question.
    guard !cancellation.isCancelled else { return completion(.failure(ServiceQuery<Answer>.cancelled)) }
    do throws(DBusError) {
      questions[ObjectIdentifier(cancellation)] = try ServiceQuery(loop: loop, address: address, question: question) {
        [unowned self] answer in
        completion(answer)
        // Deferred, because the question is still answering.
        loop.enqueue { [unowned self] in questions[ObjectIdentifier(cancellation)] = nil }
      }
    } catch {
      completion(.failure(error))
    }
  }

  /// Ends the question of a task that was cancelled.
  func cancel(_ cancellation: QueryCancellation) { questions[ObjectIdentifier(cancellation)]?.cancel() }

  func run() {
    do throws(SystemCallError) {
      _ = try loop.run()
    } catch {
      // Waiting fails only if the program has closed a descriptor that it does not own, so that this one is not an epoll instance any more.
    }
    source?.cancel()
  }

  /// Ends all sessions and questions. Connections close in the loop's next turn, and then the loop stops.
  func leave() {
    sessions = [:]
    questions = [:]
    loop.enqueue { [loop] in loop.enqueue { [unowned loop] in loop.stop() } }
  }
}
