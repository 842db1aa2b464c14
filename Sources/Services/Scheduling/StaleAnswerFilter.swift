/// Drops answers to requests that were made before the last change of the peer, the session or the claim.
public final class StaleAnswerFilter {
  private var generation = 0

  public init() {}

  /// Makes every pending answer stale.
  public func renew() { generation += 1 }

  /// Returns a completion that calls `take` unless the answer is stale by then, or the filter is released.
  public func current<Answer>(_ take: @escaping (Answer) -> Void) -> (Answer) -> Void {
    { [weak self, generation] answer in if self?.generation == generation { take(answer) } }
  }
}
