internal import Geodesy

/// A place on the earth, in degrees on WGS84. Core Location's CLLocationCoordinate2D.
public struct LocationCoordinate2D: Hashable, Sendable {
  /// Positive north, -90 to 90.
  public var latitude: Double
  /// Positive east, -180 to 180.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether there is such a place. Core Location's CLLocationCoordinate2DIsValid.
  public var isValid: Bool { coordinate != nil }

  /// Metres along the ellipsoid, exact to a tenth of a millimetre below a kilometre and to nanometres beyond. Nil where one of the two is not valid.
  func distance(to other: LocationCoordinate2D) -> Double? {
    guard let coordinate, let other = other.coordinate else { return nil }
    return coordinate.distance(to: other)
  }

  private var coordinate: Coordinate? { abs(longitude) <= 180 ? Coordinate(latitude: latitude, longitude: longitude) : nil }
}
