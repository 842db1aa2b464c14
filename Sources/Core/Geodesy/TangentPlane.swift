import RealModule

/// The plane that touches the ellipsoid at a place: east and north in metres, both ways.
///
/// Points are projected along the normal at the origin (EPSG guidance note 7-2, method 9840, orthographic). Unlike the offsets of
/// `LocalPlane`, those of three places form the triangle that a tape measures: lengths are too short by d³ / 6R², 4 µm at 1 km and
/// 0.5 mm at 5 km from the origin. The plane also holds at the poles and across the antimeridian.
public struct TangentPlane: Hashable, Sendable {
  public let origin: Coordinate
  private let center: SpacePoint
  private let latitude: Angle
  private let longitude: Angle

  public init(at origin: Coordinate) {
    self.origin = origin
    center = EarthFigure.ellipsoid.point(of: origin)
    latitude = Angle(degrees: origin.latitude)
    longitude = Angle(degrees: origin.longitude)
  }

  /// Returns the offset in metres, which is meaningful only on the origin's side of the earth.
  public func offset(to place: Coordinate) -> (east: Double, north: Double) {
    let point = EarthFigure.ellipsoid.point(of: place)
    let (dx, dy, dz) = (point.x - center.x, point.y - center.y, point.z - center.z)
    let outward = longitude.cosine * dx + longitude.sine * dy
    return (longitude.cosine * dy - longitude.sine * dx, latitude.cosine * dz - latitude.sine * outward)
  }

  /// Returns the place with an offset in metres.
  ///
  /// Nil if the ellipsoid has no such place, because the offset exceeds the radius of the earth or is not finite.
  public func coordinate(east: Double, north: Double) -> Coordinate? {
    // The point on the plane, from which the normal leads down to the ellipsoid.
    let outward = -latitude.sine * north
    let x = center.x + outward * longitude.cosine - east * longitude.sine
    let y = center.y + outward * longitude.sine + east * longitude.cosine
    // Stretched along the axis, the ellipsoid is a sphere.
    let stretch = Ellipsoid.equatorialRadius / Ellipsoid.polarRadius
    let z = (center.z + latitude.cosine * north) * stretch
    let (upX, upY, upZ) = (latitude.cosine * longitude.cosine, latitude.cosine * longitude.sine, latitude.sine * stretch)
    let square = upX * upX + upY * upY + upZ * upZ
    let half = x * upX + y * upY + z * upZ
    let rest = x * x + y * y + z * z - Ellipsoid.equatorialRadius * Ellipsoid.equatorialRadius
    let discriminant = half * half - square * rest
    guard discriminant >= 0, half > 0 else { return nil }
    let up = -rest / (half + discriminant.squareRoot())
    let radial = Double.hypot(x + up * upX, y + up * upY)
    let degrees = Double.atan2(y: (z + up * upZ) * stretch, x: radial) / .radiansPerDegree
    return Coordinate(latitude: degrees, longitude: .atan2(y: y + up * upY, x: x + up * upX) / .radiansPerDegree)
  }
}
