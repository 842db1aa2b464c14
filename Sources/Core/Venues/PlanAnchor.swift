public import Geodesy

/// A place that is known both on a floor plan and on the earth.
public struct PlanAnchor: Hashable, Sendable {
  public var point: PlanPoint
  public var coordinate: Coordinate

  public init(point: PlanPoint, coordinate: Coordinate) {
    self.point = point
    self.coordinate = coordinate
  }
}
