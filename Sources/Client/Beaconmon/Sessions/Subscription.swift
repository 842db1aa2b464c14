import FoundationEssentials
import Synchronization

/// One consumer of a session's events, at its own pace. It retains the session; releasing it ends its request.
final class Subscription: SessionEventReader {
  private struct State {
    var queue = SessionEventQueue()
    var waiter: CheckedContinuation<SessionEvent?, Never>?
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let session: ServiceSession
  private let wants: @Sendable (SessionEvent) -> Bool
  private let onEnd: @Sendable (ServiceSession) -> Void

  /// - Parameters:
  ///   - known: the first events.
  ///   - onEnd: called once, when the consumer ends.
  init(
    _ session: ServiceSession, knowing known: [SessionEvent] = [], onEnd: @escaping @Sendable (ServiceSession) -> Void = { _ in },
    wants: @escaping @Sendable (SessionEvent) -> Bool
  ) {
    self.session = session
    self.onEnd = onEnd
    self.wants = wants
    // The lock delays events that arrive in the meantime.
    state.withLock { state in
      for event in session.add(self) + known where wants(event) { state.queue.append(event, at: Date()) }
    }
  }

  deinit {
    end()
    session.remove(ObjectIdentifier(self))
  }

  func take(_ event: SessionEvent) {
    guard wants(event) else { return }
    let waiter = state.withLock { state -> CheckedContinuation<SessionEvent?, Never>? in
      guard !state.hasEnded else { return nil }
      guard let waiter = state.waiter else {
        state.queue.append(event, at: Date())
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: event)
  }

  /// Returns the next event; nil when the task is cancelled, and always after that.
  func next() async -> SessionEvent? {
    let event = await nextEvent()
    // After the gap, the present states of the regions replace the dropped events.
    if case .service(.available(let gap?)) = event, gap.cause == .notTaken { session.requestStates() }
    return event
  }

  private func nextEvent() async -> SessionEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, other) = state.withLock { state -> (answer: SessionEvent??, other: CheckedContinuation<SessionEvent?, Never>?) in
          if let event = state.queue.popFirst(at: Date()) { return (.some(event), nil) }
          if state.hasEnded { return (.some(nil), nil) }
          defer { state.waiter = continuation }
          // A second concurrent call takes the place of the first.
          return (nil, state.waiter)
        }
        other?.resume(returning: nil)
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      end()
    }
  }

  func end() {
    let (isFirst, waiter) = state.withLock { state in
      defer { (state.hasEnded, state.waiter) = (true, nil) }
      if !state.hasEnded { state.queue = SessionEventQueue() }
      return (!state.hasEnded, state.waiter)
    }
    waiter?.resume(returning: nil)
    if isFirst { onEnd(session) }
  }
}
