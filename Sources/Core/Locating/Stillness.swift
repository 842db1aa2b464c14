import Instants
import Locations

/// Whether the device has stayed where it is for a while, as far as its fixes can tell; `Movement` tells a move from noise.
struct Stillness: Sendable {
  /// Who has not moved for so long is stationary.
  static let patience = Span.seconds(120)
  /// Metres that are a move.
  private static let reach = 10.0
  /// Metres: a stroll of 0.3 m/s comes so far in the time. Fixes that would not show it cannot say that there was none.
  private static let stroll = 36.0

  private(set) var isStationary = false
  /// Where it was when it moved last.
  private var anchor: Location?
  private var since = Instant.never
  private var latest = Instant.never
  /// How many fixes have come since the first of those that placed it there.
  private var newer = 0
  private var travel = Travel()

  /// - Parameter isStill: its accelerometer feels nothing.
  mutating func take(_ fix: Location, _ recent: RecentFixes, isStill: Bool, at now: Instant) {
    if fix.source == .fixed {
      isStationary = true
      return
    }
    // What happened while nobody said anything is not known.
    guard let anchor, now - latest <= Locator.patience else { return restart(with: fix, by: 1, at: now) }
    latest = now
    newer = min(newer + 1, RecentFixes.capacity)
    travel.add(fix)
    let moved = Movement.position(
      after: anchor.coordinate, filter: Self.reach, fix, recent, newer: newer, travel: travel, isStill: isStill)
    if let moved {
      restart(with: fix.moved(to: moved.place), by: moved.fixes, at: now)
    } else if now - since >= Self.patience {
      isStationary = Movement.shows(Self.stroll, recent, fixes: newer)
    }
  }

  private mutating func restart(with fix: Location, by fixes: Int, at now: Instant) {
    (anchor, since, latest, newer, isStationary) = (fix, now, now, fixes, false)
    travel.restart(with: fix)
  }
}
