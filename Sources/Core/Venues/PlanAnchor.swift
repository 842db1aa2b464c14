public import Geodesy

/// A point on a floor plan, in the unit of the plan: metres or pixels.
public struct PlanPoint: Hashable, Sendable {
  /// To the right.
  public var x: Double
  /// Up or down, as the plan's `YAxis` states.
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A place that is known both on a floor plan and on the earth.
public struct PlanAnchor: Hashable, Sendable {
  public var point: PlanPoint
  public var coordinate: Coordinate

  public init(point: PlanPoint, coordinate: Coordinate) {
    self.point = point
    self.coordinate = coordinate
  }
}
