import FoundationEssentials
import Synchronization

/// One consumer of a session's news, at its own pace. It keeps the session; when it is released, what it asked for ends.
final class Subscription: NewsReader {
  private struct State {
    var queue = NewsQueue()
    var waiter: CheckedContinuation<News?, Never>?
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let session: ServiceSession
  private let wants: @Sendable (News) -> Bool
  private let onEnd: @Sendable (ServiceSession) -> Void

  /// - Parameters:
  ///   - known: what comes first.
  ///   - onEnd: called once, when nothing more is wanted.
  init(
    _ session: ServiceSession, knowing known: [News] = [], onEnd: @escaping @Sendable (ServiceSession) -> Void = { _ in },
    wants: @escaping @Sendable (News) -> Bool
  ) {
    self.session = session
    self.onEnd = onEnd
    self.wants = wants
    // What comes meanwhile waits for the lock.
    state.withLock { state in
      for news in session.add(self) + known where wants(news) { state.queue.append(news, at: Date()) }
    }
  }

  deinit {
    end()
    session.remove(ObjectIdentifier(self))
  }

  func take(_ news: News) {
    guard wants(news) else { return }
    let waiter = state.withLock { state -> CheckedContinuation<News?, Never>? in
      guard !state.hasEnded else { return nil }
      guard let waiter = state.waiter else {
        state.queue.append(news, at: Date())
        return nil
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: news)
  }

  /// Nil when the task is cancelled, and from then on.
  func next() async -> News? {
    let news = await nextNews()
    // What was left out is how the regions stand.
    if case .service(.available(let gap?)) = news, gap.cause == .notTaken { session.requestStates() }
    return news
  }

  private func nextNews() async -> News? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, other) = state.withLock { state -> (answer: News??, other: CheckedContinuation<News?, Never>?) in
          if let news = state.queue.popFirst(at: Date()) { return (.some(news), nil) }
          if state.hasEnded { return (.some(nil), nil) }
          defer { state.waiter = continuation }
          // Whoever asks twice at once takes the place of the first.
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
      if !state.hasEnded { state.queue = NewsQueue() }
      return (!state.hasEnded, state.waiter)
    }
    waiter?.resume(returning: nil)
    if isFirst { onEnd(session) }
  }
}
