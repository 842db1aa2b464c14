public import Geodesy
import RealModule

/// The location of a venue's plan on the earth: the plane in metres that touches the earth at its origin.
public struct VenueFrame: Hashable, Sendable {
  /// The coordinate of the point [0, 0] of the plan.
  public let origin: Coordinate
  /// The direction of the plan's y axis in degrees clockwise from true north; its x axis points 90° farther.
  public let bearing: Double
  private let plane: TangentPlane
  private let sine, cosine: Double

  public init(origin: Coordinate, bearing: Double = 0) {
    self.origin = origin
    self.bearing = bearing
    plane = TangentPlane(at: origin)
    (sine, cosine) = (Double.sin(bearing * .pi / 180), Double.cos(bearing * .pi / 180))
  }

  /// Returns the coordinate of a point; nil if the point is not finite or farther away than the earth is large.
  public func coordinate(for point: PlanPoint) -> Coordinate? {
    plane.coordinate(east: point.x * cosine + point.y * sine, north: point.y * cosine - point.x * sine)
  }

  /// Returns the direction from one point to another, in degrees clockwise from true north, -180...180.
  ///
  /// Nil if one has no coordinate. Meridians converge: 500 m beside the origin, at a latitude of 70°, it differs by 0.012° from the
  /// direction on the plan and `bearing`.
  public func bearing(from: PlanPoint, to: PlanPoint) -> Double? {
    guard let from = coordinate(for: from), let to = coordinate(for: to) else { return nil }
    return Geodesic(from: from, to: to).initialAzimuth
  }

  /// Returns the direction of the plan's y axis at a point, in degrees clockwise from true north.
  ///
  /// Nil if the point has no coordinate.
  public func bearing(at point: PlanPoint) -> Double? { bearing(from: point, to: PlanPoint(x: point.x, y: point.y + 1)) }

  /// Returns the point of a coordinate. It is meaningful within some kilometres of the origin only.
  public func point(for coordinate: Coordinate) -> PlanPoint {
    let (east, north) = plane.offset(to: coordinate)
    return PlanPoint(x: east * cosine - north * sine, y: east * sine + north * cosine)
  }
}
