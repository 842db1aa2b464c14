import Geodesy
import Locations

/// Tells a device that moved from one that stands still under fixes that do not.
///
/// A mean of n fixes scatters by a/√n where one scatters by a, its accuracy. It has moved by the distance filter when that is nine such sigmas or more, so
/// that noise does it less than once in years; where the filter is too fine for that, nine sigmas are the filter. Few fixes are asked first: a leap is
/// seen in one, a stroll in the mean of some twenty, which lags by as many seconds of it at one fix a second.
///
/// A receiver that measures speed by itself needs no means: who drives or walks is moving, and who has not come half the way by that speed stands still,
/// as does who feels no shaking.
struct Movement {
  /// Sigmas that are no noise any more: the fix that was delivered scatters as well.
  private static let sigmas = 9.0
  /// Sigmas that the errors of two fixes hardly ever differ by. For sources that tell only what is new this is enough: they tell a few hundred fixes a day.
  private static let astray = 6.0
  /// m/s. Receivers that stand still report up to half a metre per second.
  private static let walking = 1.0

  /// Where the device is now, and how many fixes show it, if it is `filter` metres or more away from `start`; nil while it may as well not be.
  ///
  /// - Parameter isAtRest: as far as its own speed since it was at `start`, or its accelerometer, tells.
  /// - Parameter newer: how many of the recent fixes are not older than those that placed it at `start`. A mean of older ones lies behind.
  static func position(
    after start: Coordinate, filter: Double, _ fix: Location, _ recent: RecentFixes, newer: Int, isAtRest: Bool
  ) -> (place: Coordinate, fixes: Int)? {
    guard !isMoving(fix), let sigma = fix.horizontalAccuracy, filter > 0 else {
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
      let least = max(filter, sigmas * sigma / Double(count).squareRoot())
      if let mean = recent.mean(of: count), mean.distance(to: start) >= least.nextDown { return (mean, count) }
      guard count < available else { return nil }
      count = count * 4 <= available ? count * 2 : available
    }
  }

  /// Whether a move of so many metres would be seen by the mean of so many fixes.
  static func shows(_ metres: Double, _ fix: Location, fixes: Int) -> Bool {
    fix.horizontalAccuracy.map { sigmas * $0 / Double(max(1, fixes)).squareRoot() <= metres } ?? false
  }

  static func isMoving(_ fix: Location) -> Bool {
    guard let speed = fix.speed else { return false }
    return speed >= max(walking, 3 * (fix.speedAccuracy ?? 0))
  }
}
