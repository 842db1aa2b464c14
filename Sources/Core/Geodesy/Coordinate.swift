/// A place on the earth: geodetic latitude and longitude on WGS84, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Positive north, -90…90.
  public let latitude: Double
  /// Positive east, -180…180.
  public let longitude: Double

  /// Nil unless the latitude lies in -90…90 and the longitude is finite; the longitude is brought into -180…180.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, longitude.isFinite else { return nil }
    self.latitude = latitude
    self.longitude = abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
  }
}
