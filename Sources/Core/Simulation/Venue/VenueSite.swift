import Geodesy
import RealModule

/// Where the plan of a venue lies on the earth.
public struct VenueSite: Hashable, Sendable {
  /// The place [0, 0] of the plan.
  public var origin: Coordinate
  /// Where the plan's y axis points, degrees clockwise from true north; its x axis points 90° farther.
  public var bearing: Double

  public init(origin: Coordinate, bearing: Double = 0) {
    self.origin = origin
    self.bearing = bearing
  }

  /// Distances from the origin are as on the plan, and so are the angles there.
  public func coordinate(of place: Point) -> Coordinate {
    origin.destination(azimuth: azimuth(x: place.x, y: place.y), distance: Double.hypot(place.x, place.y)).coordinate
  }

  /// Degrees clockwise from true north, 0..<360, of a direction on the plan.
  func azimuth(x: Double, y: Double) -> Double {
    let azimuth = (bearing + Double.atan2(y: x, x: y) * 180 / .pi).truncatingRemainder(dividingBy: 360)
    return azimuth < 0 ? azimuth + 360 : azimuth
  }
}
