import RealModule

/// Local east and north coordinates in metres around a place, as on a map.
///
/// They are cheap to compute, and within 0.1 mm of the geodesic at 1 km up to 80° of latitude.
/// The radii of curvature are those at the mean latitude (Bowring, The direct and inverse problems for short geodesic lines on the
/// ellipsoid, 1981, in first order).
public struct LocalPlane: Hashable, Sendable {
  public let origin: Coordinate

  /// The highest latitude and the longest distance in metres at which the plane is accurate enough for positioning.
  public static let mostLatitude = 80.0
  public static let mostDistance = 1000.0

  public init(at origin: Coordinate) {
    self.origin = origin
  }

  /// Returns the offset in metres.
  public func offset(to place: Coordinate) -> (east: Double, north: Double) {
    let north = (place.latitude - origin.latitude) * .radiansPerDegree
    let east = (place.longitude - origin.longitude).remainder(dividingBy: 360) * .radiansPerDegree
    let middle = (place.latitude + origin.latitude) / 2 * .radiansPerDegree
    let (sine, cosine) = (Double.sin(middle), Double.cos(middle))
    let w2 = 1 - Ellipsoid.eccentricitySquared * sine * sine
    let primeVertical = Ellipsoid.equatorialRadius / w2.squareRoot()
    let meridional = primeVertical * (1 - Ellipsoid.eccentricitySquared) / w2
    return (primeVertical * cosine * east, meridional * north)
  }

  /// Returns the distance in metres.
  public func distance(to place: Coordinate) -> Double {
    let (east, north) = offset(to: place)
    return (east * east + north * north).squareRoot()
  }
}

extension Coordinate {
  /// Returns the distance in metres: on the local plane where it is accurate, on the geodesic elsewhere.
  public func distance(to other: Coordinate) -> Double {
    if abs(latitude) <= LocalPlane.mostLatitude {
      let near = LocalPlane(at: self).distance(to: other)
      if near <= LocalPlane.mostDistance { return near }
    }
    return Geodesic(from: self, to: other).distance
  }
}
