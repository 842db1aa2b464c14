import Geodesy
import Locations

/// Distinguishes a moving device from a stationary one whose fixes scatter.
///
/// A mean of n fixes scatters by a/√n if each fix scatters by a, its accuracy. The device has moved by the distance filter if the filter
/// is at least nine such sigmas, so that noise passes less than once in years. If the filter is finer than nine sigmas, nine sigmas
/// replace it. Means of few fixes are tested first. One fix shows a leap. A mean of some twenty fixes shows a stroll, and lags by as many
/// seconds at one fix a second.
///
/// A receiver that measures speed needs no means: a device at walking or driving speed is moving. A device that has covered less than
/// half the distance by that speed is stationary, and so is one whose accelerometer reports no shaking. Some receivers report 0 below a
/// certain speed; that speed is rejected while their positions drift in one direction.
struct MovementTest {
  /// The number of sigmas that noise does not exceed; the delivered fix scatters as well.
  private static let sigmas = 9.0
  /// The number of sigmas that the errors of two fixes hardly ever differ by.
  /// This is enough for sources that report only changes, because they report a few hundred fixes a day.
  private static let astray = 6.0
  /// Walking speed in m/s; stationary receivers report up to half a metre per second.
  private static let walking = 1.0

  /// Returns the place of the device and the number of fixes that show it.
  /// Returns nil unless the device is proven to be `filter` metres or more away from `start`.
  ///
  /// - Parameters:
  ///   - newer: the number of recent fixes that are not older than those that determined `start`. A mean that includes older ones lags
  ///     behind.
  ///   - travel: the movement since `start` by the receiver's own speed.
  ///   - isStill: whether the accelerometer reports that the device is at rest.
  static func position(
    after start: Coordinate, filter: Double, _ fix: Location, _ recent: RecentFixes, newer: Int, travel: DeadReckoning, isStill: Bool
  ) -> (place: Coordinate, fixes: Int)? {
    let drift = isStill || isMoving(fix) ? 0 : recent.drift
    let isAtRest = isStill || travel.isShort(of: filter) && drift == 0
    guard !isMoving(fix), drift < walking, let sigma = fix.horizontalAccuracy, filter > 0 else {
      // The scatter of a fix without accuracy is unknown, so the fix is taken as it is.
      return fix.coordinate.distance(to: start) >= filter ? (fix.coordinate, 1) : nil
    }
    // Positions share an error that can last for minutes, so a device that otherwise seems at rest must appear farther away.
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

  /// Returns whether the mean of that many fixes could show a move of that many metres.
  static func shows(_ metres: Double, _ recent: RecentFixes, fixes: Int) -> Bool {
    recent.mean(of: fixes).map { sigmas * $0.sigma <= metres } ?? false
  }

  static func isMoving(_ fix: Location) -> Bool {
    guard let speed = fix.speed else { return false }
    return speed >= max(walking, 3 * (fix.speedAccuracy ?? 0))
  }
}
