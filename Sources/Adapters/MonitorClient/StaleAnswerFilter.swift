/// Drops answers to requests that were made before the last change of daemon or session.
final class StaleAnswerFilter {
  private var generation = 0

  /// Makes every pending answer stale.
  func renew() { generation += 1 }

  /// Returns a completion that calls `take` unless the answer is stale by then, or the filter is released.
  func current<Answer>(_ take: @escaping (Answer) -> Void) -> (Answer) -> Void {
    { [weak self, generation] answer in if self?.generation == generation { take(answer) } }
  }
}
