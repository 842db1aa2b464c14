/// What a session tells, as a sequence for one consumer at a time and any task; each iteration hears everything from its beginning on. It ends with its task.
///
/// Of rangings a slow consumer gets the latest. Of all else 256 wait for it; beyond that it hears of a gap and then how things stand.
public struct UpdateSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  let begin: @Sendable () -> Subscription
  /// Nil for news of another kind.
  let decode: @Sendable (News) -> Result<Element, Failure>?

  public struct AsyncIterator: AsyncIteratorProtocol {
    let subscription: Subscription
    let decode: @Sendable (News) -> Result<Element, Failure>?

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      while let news = await subscription.next() {
        switch decode(news) {
        case .success(let element): return element
        case .failure(let error):
          subscription.end()
          throw error
        case nil: continue
        }
      }
      return nil
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: begin(), decode: decode) }
}

extension UpdateSequence {
  /// Of what `decode` takes.
  init(_ session: ServiceSession, decode: @escaping @Sendable (News) -> Result<Element, Failure>?) {
    begin = { Subscription(session) { decode($0) != nil } }
    self.decode = decode
  }
}
