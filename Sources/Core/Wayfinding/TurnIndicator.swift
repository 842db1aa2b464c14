public import RouteReports

/// Decides between left, right and straight ahead, without jumping at the borders.
public struct TurnIndicator: Hashable, Sendable {
  public typealias Side = GuidanceReport.Side

  /// The degrees within which a direction becomes straight ahead, and those beyond which it no longer is.
  public static let (ahead, aheadAtMost) = (10.0, 15.0)
  /// The largest sigma in degrees of a heading and of a bearing that are shown.
  public static let mostDeviation = 30.0
  /// The degrees beyond the back by which a direction must pass before the other side is the shorter turn.
  private static let backHysteresis = 10.0

  private var side: Side?

  public init() {}

  /// Forgets the last side, such as after a direction that cannot be trusted.
  public mutating func reset() { side = nil }

  /// Returns the shorter turn in degrees, positive to the right, -180...180, and its side; nil if it cannot be trusted.
  ///
  /// - Parameters:
  ///   - bearing: degrees clockwise from true north.
  ///   - deviation: one sigma of the bearing in degrees.
  ///   - heading: degrees clockwise from true north, and its sigma; nil if it is unknown.
  public mutating func update(
    to bearing: Double, deviation: Double, heading: (degrees: Double, accuracy: Double)?
  ) -> (turn: Double, side: Side)? {
    guard let heading, heading.degrees.isFinite, heading.accuracy >= 0,
      (heading.accuracy * heading.accuracy + deviation * deviation).squareRoot() <= Self.mostDeviation
    else {
      side = nil
      return nil
    }
    let turn = (bearing - heading.degrees).remainder(dividingBy: 360)
    let next = Self.side(turn, before: side)
    side = next
    // Just beyond the back the turn continues on its side, so that the arrow does not jump.
    let shown = next == .left && turn > 90 ? turn - 360 : next == .right && turn < -90 ? turn + 360 : turn
    return (min(180, max(-180, shown)), next)
  }

  /// Returns the side of a turn; the previous side remains within the hysteresis.
  private static func side(_ turn: Double, before: Side?) -> Side {
    if abs(turn) <= (before == .ahead ? aheadAtMost : ahead) { return .ahead }
    let side: Side = turn < 0 ? .left : .right
    guard let before, before != .ahead, before != side, abs(turn) > 180 - backHysteresis else { return side }
    return before
  }
}
