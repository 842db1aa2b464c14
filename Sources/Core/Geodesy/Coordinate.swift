/// A place on the earth: geodetic latitude and longitude on WGS84, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees, positive to the north, -90…90.
  public let latitude: Double
  /// Degrees, positive to the east, -180…180.
  public let longitude: Double

  /// Returns nil unless the latitude lies in -90…90 and the longitude is finite.
  /// The longitude is normalised to -180…180.
  public init?(latitude: Double, longitude: Double) {
    guard abs(latitude) <= 90, longitude.isFinite else { return nil }
    self.latitude = latitude
    self.longitude = abs(longitude) <= 180 ? longitude : longitude.remainder(dividingBy: 360)
  }
}
