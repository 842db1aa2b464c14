public import Geodesy
import RealModule

/// Points from the visitor to a place on the earth: an arrow, and left, right or straight ahead.
public struct DirectionGuide: Hashable, Sendable {
  public typealias Side = TurnIndicator.Side

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
    /// Whether the position is accurate enough to arrive.
    public var isExact: Bool
  }

  /// The factor of the radius outside of which a visitor has left the target again.
  private static let leaving = 1.5

  /// The accuracy in metres with which a visitor can arrive whatever the radius.
  private static let leastExact = 10.0

  public let target: Coordinate
  /// The distance in metres within which the visitor has arrived.
  public let radius: Double
  private var indicator = TurnIndicator()
  private var hasArrived = false

  public init(to target: Coordinate, radius: Double = 5) {
    self.target = target
    self.radius = radius
  }

  public mutating func update(_ input: Input) -> Output {
    let line = Geodesic(from: input.coordinate, to: target)
    let isExact = (0...max(radius, Self.leastExact)).contains(input.accuracy)
    hasArrived = hasArrived ? line.distance <= radius * Self.leaving : isExact && line.distance <= radius
    var output = Output(distance: line.distance, hasArrived: hasArrived, isExact: isExact)
    guard !hasArrived, line.distance > 0, input.accuracy.isFinite, input.accuracy >= 0 else {
      indicator.reset()
      return output
    }
    let deviation = Double.atan2(y: input.accuracy, x: line.distance) * 180 / .pi
    guard deviation <= TurnIndicator.mostDeviation else {
      indicator.reset()
      return output
    }
    let bearing = line.initialAzimuth < 0 ? line.initialAzimuth + 360 : line.initialAzimuth
    output.bearing = bearing >= 360 ? 0 : bearing
    let heading = input.headingAccuracy.flatMap { accuracy in input.heading.map { ($0, accuracy) } }
    if let (turn, side) = indicator.update(to: bearing, deviation: deviation, heading: heading) {
      (output.turn, output.side) = (turn, side)
    }
    return output
  }
}
