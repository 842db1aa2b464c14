import Instants
import Locations

/// Detects from fixes whether the device is stationary; `MovementTest` distinguishes moves from noise.
struct StationaryDetector: Sendable {
  /// The time without a move after which the device is stationary.
  static let patience = Span.seconds(120)
  /// The shortest distance in metres that counts as a move.
  private static let shortestMove = 10.0
  /// The distance in metres of a stroll of 0.3 m/s within `patience`.
  /// Fixes too coarse to show this distance cannot prove that the device is stationary.
  private static let stroll = 36.0

  private(set) var isStationary = false
  /// The location after the last move.
  private var anchor: Location?
  private var since = Instant.never
  private var latest = Instant.never
  /// The number of fixes since the first of those that determined the anchor.
  private var newer = 0
  private var travel = DeadReckoning()

  /// Takes a fix.
  ///
  /// - Parameter isStill: whether the accelerometer reports that the device is at rest.
  mutating func take(_ fix: Location, _ recent: RecentFixes, isStill: Bool, at now: Instant) {
    if fix.source.lifetime == nil {
      isStationary = true
      return
    }
    // Movement during a gap between fixes is unknown.
    guard let anchor, now - latest <= Locator.patience else { return restart(with: fix, by: 1, at: now) }
    latest = now
    newer = min(newer + 1, RecentFixes.capacity)
    travel.add(fix)
    let moved = MovementTest.position(
      after: anchor.coordinate, filter: Self.shortestMove, fix, recent, newer: newer, travel: travel, isStill: isStill)
    if let moved {
      restart(with: fix.moved(to: moved.place), by: moved.fixes, at: now)
    } else if now - since >= Self.patience {
      isStationary = MovementTest.shows(Self.stroll, recent, fixes: newer)
    }
  }

  private mutating func restart(with fix: Location, by fixes: Int, at now: Instant) {
    (anchor, since, latest, newer, isStationary) = (fix, now, now, fixes, false)
    travel.restart(with: fix)
  }
}
