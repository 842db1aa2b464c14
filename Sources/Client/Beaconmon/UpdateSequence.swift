/// A session's events as a sequence for one consumer at a time, on any task.
///
/// Each iteration receives everything since its start, and ends with its task. A slow consumer gets the latest of each
/// ranging. Up to 256 other elements wait for it; beyond that it receives a gap and then the present states.
public struct UpdateSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  let begin: @Sendable () -> Subscription
  /// Converts an event to an element or a failure; nil for an event of another kind.
  let decode: @Sendable (SessionEvent) -> Result<Element, Failure>?
  /// Whether the sequence finishes after an element.
  var isLast: @Sendable (Element) -> Bool = { _ in false }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let subscription: Subscription
    let decode: @Sendable (SessionEvent) -> Result<Element, Failure>?
    let isLast: @Sendable (Element) -> Bool

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      while let event = await subscription.next() {
        switch decode(event) {
        case .success(let element):
          if isLast(element) { subscription.end() }
          return element
        case .failure(let error):
          subscription.end()
          throw error
        case nil: continue
        }
      }
      return nil
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: begin(), decode: decode, isLast: isLast) }
}

extension UpdateSequence {
  /// Creates a sequence of the events that `decode` accepts.
  init(_ session: ServiceSession, decode: @escaping @Sendable (SessionEvent) -> Result<Element, Failure>?) {
    begin = { Subscription(session) { decode($0) != nil } }
    self.decode = decode
  }
}
