import Instants
import Regions

/// The total time for which the journal was in use, measured by clocks that cannot be set.
///
/// While the daemon runs, this is the monotonic clock; between two starts in the same boot it is the time since boot. Time in which the
/// machine was off does not count. An event is therefore at least as old as the watched time since it.
struct WatchedTime {
  private var watched: Span
  private var start: Instant
  private var boot: String?
  private var uptime: Span

  /// - Parameters:
  ///   - watched: the watched time at the last sign of life, or at the last event after it.
  ///   - life: the last sign of life; `nil` if there is none.
  init(_ watched: Span, _ life: Heartbeat?, at now: Instant) {
    (self.watched, start) = (watched, now)
    (boot, uptime) = (life?.boot, life?.uptime ?? .zero)
  }

  func value(at now: Instant) -> Span { watched + max(.zero, now - start) }

  /// Adds the time since the last sign. Within one boot this includes sleep and time in which no daemon was running.
  mutating func note(_ life: Heartbeat, at now: Instant) {
    let sinceLast = boot != nil && life.boot == boot ? max(.zero, life.uptime - uptime) : .zero
    watched = watched + max(sinceLast, now - start)
    (start, boot, uptime) = (now, life.boot, life.uptime)
  }
}
