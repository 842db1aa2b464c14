import Geodesy
import RealModule
import Venues

/// The location of a venue's plan on the earth.
public struct VenueSite: Hashable, Sendable {
  /// The coordinate of the place [0, 0] on the plan.
  public var origin: Coordinate
  /// The direction of the plan's y axis in degrees clockwise from true north; its x axis points 90° farther.
  public var bearing: Double

  public init(origin: Coordinate, bearing: Double = 0) {
    self.origin = origin
    self.bearing = bearing
  }

  /// Returns the coordinate of a place; distances and angles at the origin are as on the plan.
  public func coordinate(of place: PlanPoint) -> Coordinate {
    origin.destination(azimuth: azimuth(x: place.x, y: place.y), distance: Double.hypot(place.x, place.y)).coordinate
  }

  /// Returns the azimuth of a direction on the plan: degrees clockwise from true north, 0..<360.
  func azimuth(x: Double, y: Double) -> Double {
    let azimuth = (bearing + Double.atan2(y: x, x: y) * 180 / .pi).truncatingRemainder(dividingBy: 360)
    return azimuth < 0 ? azimuth + 360 : azimuth
  }
}
