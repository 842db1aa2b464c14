internal import Geodesy

/// A point on the earth, in degrees on WGS84. Core Location's CLLocationCoordinate2D.
public struct LocationCoordinate2D: Hashable, Sendable {
  /// The latitude, positive north, -90 to 90.
  public var latitude: Double
  /// The longitude, positive east, -180 to 180.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// True if both values are within their range. Core Location's CLLocationCoordinate2DIsValid.
  public var isValid: Bool { coordinate != nil }

  /// Returns the distance in metres along the ellipsoid; nil if one of the coordinates is not valid.
  ///
  /// The distance is exact to a tenth of a millimetre below a kilometre, and to nanometres beyond.
  func distance(to other: LocationCoordinate2D) -> Double? {
    guard let coordinate, let other = other.coordinate else { return nil }
    return coordinate.distance(to: other)
  }

  /// The coordinate as the core knows it; nil if it is not valid.
  var coordinate: Coordinate? { abs(longitude) <= 180 ? Coordinate(latitude: latitude, longitude: longitude) : nil }
}
