import Instants

/// For how long the machine slept, and when: the loop's clock stands still meanwhile, the age of what was heard before does not.
struct SleepRecord {
  private struct Sleep {
    /// The first instant after it.
    let end: Instant
    /// What it added to the time asleep, all in all.
    let total: Span
  }

  /// Bounded: before the oldest of so many, how long the machine slept is no longer known exactly.
  private static let most = 64
  /// Clocks that are read one after the other differ by less.
  private static let shortest = Span.milliseconds(1)

  private var sleeps: [Sleep] = []
  private var total: Span

  /// - Parameter total: CLOCK_BOOTTIME less CLOCK_MONOTONIC.
  init(total: Span) {
    self.total = total
  }

  /// Takes what the clocks say at `time`, before anything else is done then.
  mutating func note(total: Span, at time: Instant) {
    guard total - self.total >= Self.shortest else { return }
    if sleeps.count == Self.most { sleeps.removeFirst() }
    sleeps.append(Sleep(end: time, total: total - self.total))
    self.total = total
  }

  /// How long the machine slept since `instant`.
  func asleep(since instant: Instant) -> Span {
    sleeps.reduce(.zero) { $1.end > instant ? $0 + $1.total : $0 }
  }
}
