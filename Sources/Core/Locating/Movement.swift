import Geodesy
import Locations

/// Tells a device that moved from one that stands still under fixes that do not.
///
/// A mean of n fixes scatters by a/√n where each scatters by a, its accuracy. It has moved by the distance filter when that is nine such sigmas or more, so
/// that noise does it less than once in years; where the filter is too fine for that, nine sigmas are the filter. Few fixes are asked first: a leap is
/// seen in one, a stroll in the mean of some twenty, which lags by as many seconds of it at one fix a second.
///
/// A receiver that measures speed by itself needs no means: who drives or walks is moving, and who has not come half the way by that speed stands still,
/// as does who feels no shaking. A receiver that says 0 below some speed is not believed while its positions wander off together.
struct Movement {
  /// Sigmas that are no noise any more: the fix that was delivered scatters as well.
  private static let sigmas = 9.0
  /// Sigmas that the errors of two fixes hardly ever differ by. For sources that tell only what is new this is enough: they tell a few hundred fixes a day.
  private static let astray = 6.0
  /// m/s. Receivers that stand still report up to half a metre per second.
  private static let walking = 1.0

  /// Where the device is now, and how many fixes show it, if it is `filter` metres or more away from `start`; nil while it may as well not be.
  ///
  /// - Parameters:
  ///   - newer: how many of the recent fixes are not older than those that placed it at `start`. A mean of older ones lies behind.
  ///   - travel: by its own speed since it was at `start`.
  ///   - isStill: its accelerometer feels nothing.
  static func position(
    after start: Coordinate, filter: Double, _ fix: Location, _ recent: RecentFixes, newer: Int, travel: Travel, isStill: Bool
  ) -> (place: Coordinate, fixes: Int)? {
    let drift = isStill || isMoving(fix) ? 0 : recent.drift
    let isAtRest = isStill || travel.isShort(of: filter) && drift == 0
    guard !isMoving(fix), drift < walking, let sigma = fix.horizontalAccuracy, filter > 0 else {
      // What has no accuracy can be taken at its word only.
      return fix.coordinate.distance(to: start) >= filter ? (fix.coordinate, 1) : nil
    }
    // Positions go astray for minutes, all together. While everything else says that it rests they have to go far.
    let filter = isAtRest ? max(filter, astray * sigma) : filter
    let sigmas = fix.isSteady ? Self.sigmas : astray
    let ratio = sigmas * sigma / filter
    let enough = Int(min((ratio * ratio).rounded(.up), Double(RecentFixes.capacity)))
    let available = min(enough, newer, recent.count)
    var count = 1
    while true {
      if let mean = recent.mean(of: count), mean.place.distance(to: start) >= max(filter, sigmas * mean.sigma).nextDown {
        return (mean.place, count)
      }
      guard count < available else { return nil }
      count = count * 4 <= available ? count * 2 : available
    }
  }

  /// Whether a move of so many metres would be seen by the mean of so many fixes.
  static func shows(_ metres: Double, _ recent: RecentFixes, fixes: Int) -> Bool {
    recent.mean(of: fixes).map { sigmas * $0.sigma <= metres } ?? false
  }

  static func isMoving(_ fix: Location) -> Bool {
    guard let speed = fix.speed else { return false }
    return speed >= max(walking, 3 * (fix.speedAccuracy ?? 0))
  }
}
