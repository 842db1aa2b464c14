public import Geodesy
import RealModule

/// Points from the visitor to a place on the earth: an arrow, and left, right or straight ahead.
public struct DirectionGuide: Hashable, Sendable {
  public enum Side: String, CaseIterable, Sendable {
    case left, right, ahead
  }

  /// A position and, if it is known, the direction of the visitor.
  public struct Input: Hashable, Sendable {
    public var coordinate: Coordinate
    /// One sigma in metres.
    public var accuracy: Double
    /// Degrees clockwise from true north; nil if it is unknown.
    public var heading: Double?
    /// One sigma of the heading in degrees; nil if it cannot be trusted.
    public var headingAccuracy: Double?

    public init(_ coordinate: Coordinate, accuracy: Double, heading: Double? = nil, headingAccuracy: Double? = nil) {
      self.coordinate = coordinate
      self.accuracy = accuracy
      self.heading = heading
      self.headingAccuracy = headingAccuracy
    }
  }

  public struct Output: Hashable, Sendable {
    /// Metres.
    public var distance: Double
    /// Degrees clockwise from true north, 0..<360; nil if the position is too inaccurate for a direction.
    public var bearing: Double?
    /// The shorter turn to the target in degrees, positive to the right, -180...180; nil if the direction cannot be trusted.
    public var turn: Double?
    /// Nil if the direction cannot be trusted.
    public var side: Side?
    public var hasArrived: Bool
  }

  /// The degrees within which the target is straight ahead, and those beyond which it is no longer.
  public static let (ahead, aheadAtMost) = (10.0, 15.0)
  /// The degrees beyond the back by which the target must pass before the other side is the shorter turn.
  private static let backHysteresis = 10.0
  /// The largest sigma in degrees of a heading and of a bearing that are shown.
  private static let mostDeviation = 30.0
  /// The factor of the radius outside of which a visitor has left the target again.
  private static let leaving = 1.5

  /// The accuracy in metres with which a visitor can arrive whatever the radius.
  private static let leastExact = 10.0

  public let target: Coordinate
  /// The distance in metres within which the visitor has arrived.
  public let radius: Double
  private var side: Side?
  private var hasArrived = false

  public init(to target: Coordinate, radius: Double = 5) {
    self.target = target
    self.radius = radius
  }

  public mutating func update(_ input: Input) -> Output {
    let line = Geodesic(from: input.coordinate, to: target)
    let isExact = (0...max(radius, Self.leastExact)).contains(input.accuracy)
    hasArrived = hasArrived ? line.distance <= radius * Self.leaving : isExact && line.distance <= radius
    var output = Output(distance: line.distance, hasArrived: hasArrived)
    guard !hasArrived, line.distance > 0, input.accuracy.isFinite, input.accuracy >= 0 else {
      side = nil
      return output
    }
    let bearingDeviation = Double.atan2(y: input.accuracy, x: line.distance) * 180 / .pi
    guard bearingDeviation <= Self.mostDeviation else {
      side = nil
      return output
    }
    let bearing = line.initialAzimuth < 0 ? line.initialAzimuth + 360 : line.initialAzimuth
    output.bearing = bearing >= 360 ? 0 : bearing
    guard let heading = input.heading, heading.isFinite, let accuracy = input.headingAccuracy,
      (accuracy * accuracy + bearingDeviation * bearingDeviation).squareRoot() <= Self.mostDeviation
    else {
      side = nil
      return output
    }
    let turn = (bearing - heading).remainder(dividingBy: 360)
    let next = Self.side(turn, before: side)
    side = next
    output.side = next
    // Just beyond the back the turn continues on its side, so that the arrow does not jump.
    output.turn =
      next == .left && turn > 0 && abs(turn) > 90 ? turn - 360 : next == .right && turn < 0 && abs(turn) > 90 ? turn + 360 : turn
    output.turn = output.turn.map { min(180, max(-180, $0)) }
    return output
  }

  /// Returns the side of a turn; the side before it remains within the hysteresis.
  private static func side(_ turn: Double, before: Side?) -> Side {
    if abs(turn) <= (before == .ahead ? aheadAtMost : ahead) { return .ahead }
    let side: Side = turn < 0 ? .left : .right
    guard let before, before != .ahead, before != side, abs(turn) > 180 - backHysteresis else { return side }
    return before
  }
}
