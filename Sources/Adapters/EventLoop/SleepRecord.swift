import Instants

/// A record of when and how long the machine slept.
/// The loop's clock stands still during sleep, but earlier sightings and fixes still grow older.
struct SleepRecord {
  private struct Sleep {
    /// The first instant after the sleep.
    let end: Instant
    /// The time that the sleep added to the total.
    let total: Span
  }

  /// The maximum number of entries; before the oldest one, the time asleep is no longer known exactly.
  private static let most = 64
  /// The shortest sleep that is recorded; two clocks that are read one after the other differ by less.
  private static let shortest = Span.milliseconds(1)

  private var sleeps: [Sleep] = []
  private var total: Span

  /// - Parameter total: CLOCK_BOOTTIME less CLOCK_MONOTONIC.
  init(total: Span) {
    self.total = total
  }

  /// Takes the clocks' values at `time`, before any other work of that wake-up.
  mutating func note(total: Span, at time: Instant) {
    guard total - self.total >= Self.shortest else { return }
    if sleeps.count == Self.most { sleeps.removeFirst() }
    sleeps.append(Sleep(end: time, total: total - self.total))
    self.total = total
  }

  /// Returns how long the machine slept since `instant`.
  func asleep(since instant: Instant) -> Span {
    sleeps.reduce(.zero) { $1.end > instant ? $0 + $1.total : $0 }
  }
}
