import Instants

/// Decides whether a visitor has left a route.
///
/// A sequential test adds up the deviations beyond those of noise (Page, Biometrika 41 (1954)).
struct DepartureTest: Sendable {
  /// The square of the sigmas that noise explains, and the sum for each second at which the visitor has left.
  static let (drift, threshold) = (7.0, 45.0)
  /// The sum for a visitor with a compass.
  private static let compassThreshold = 100.0
  /// The largest contribution of one second: a jump alone does not decide.
  private static let most = 24.0

  private var sum = 0.0
  private var last: Instant?

  /// Whether the visitor may have left the route.
  var isDoubtful: Bool { sum > Self.threshold / 2 }

  /// Whether further positions decide if the visitor has left the route.
  var isUndecided: Bool { sum > 0 }

  /// Adds a deviation, and returns whether the visitor has left the route.
  ///
  /// - Parameters:
  ///   - deviation: the square of the distance in sigmas; nil if it is unknown.
  ///   - hasCompass: whether the direction of the visitor is known, so that `DepartureComparison` finds most departures sooner.
  mutating func add(_ deviation: Double?, at time: Instant, hasCompass: Bool) -> Bool {
    let seconds = last.map { min(max(0, (time - $0).seconds), 2) } ?? 0
    last = time
    guard let deviation else { return false }
    sum = max(0, sum + seconds * min(deviation - Self.drift, Self.most))
    return sum > (hasCompass ? Self.compassThreshold : Self.threshold)
  }
}
