/// What kinds of sources see on a good day: metres, one sigma.
public enum Reach {
  /// Receivers of satellites, under an open sky.
  public static let satellites = 3.0
  /// Wi-Fi that somebody has mapped.
  public static let wifi = 50.0
}

extension LocationSettings {
  /// Of the finest source; nil where there is none.
  public var reach: Double? {
    [
      gpsd.map { _ in Reach.satellites }, nmea.map { _ in Reach.satellites }, capture.map { _ in Reach.satellites },
      usesGeoClue ? Reach.wifi : nil, fixed.map { $0.horizontalAccuracy ?? 0 },
    ].compactMap(\.self).min()
  }
}
