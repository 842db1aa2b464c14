import Instants

/// How long the journal has been in use in all, by clocks that nobody sets.
///
/// While the daemon runs it is the monotonic clock; from one start to the next in the same boot it is the time since boot. Time that the machine was off
/// does not count. So an event is at least as old as the time for which the journal was watched since.
struct WatchedTime {
  private var watched: Span
  private var start: Instant
  private var boot: String?
  private var uptime: Span

  /// - Parameters:
  ///   - watched: at the last sign of life, or at the last event after it.
  ///   - life: the last sign; nil when there is none.
  init(_ watched: Span, _ life: LifeSign?, at now: Instant) {
    (self.watched, start) = (watched, now)
    (boot, uptime) = (life?.boot, life?.uptime ?? .zero)
  }

  func value(at now: Instant) -> Span { watched + max(.zero, now - start) }

  /// Time that the machine slept, and in which no daemon ran, counts within one boot.
  mutating func note(_ life: LifeSign, at now: Instant) {
    let sinceLast = boot != nil && life.boot == boot ? max(.zero, life.uptime - uptime) : .zero
    watched = watched + max(sinceLast, now - start)
    (start, boot, uptime) = (now, life.boot, life.uptime)
  }
}
