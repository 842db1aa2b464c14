/// Typical accuracies of kinds of sources in good conditions: one sigma, in metres.
public enum Reach {
  /// Satellite receivers under an open sky.
  public static let satellites = 3.0
  /// Wi-Fi in a mapped area.
  public static let wifi = 50.0
}

extension LocationSettings {
  /// The accuracy of the finest source; nil without sources.
  public var reach: Double? {
    [
      gpsd.map { _ in Reach.satellites }, nmea.map { _ in Reach.satellites }, capture.map { _ in Reach.satellites },
      usesGeoClue ? Reach.wifi : nil, fixed.map { $0.horizontalAccuracy ?? 0 },
    ].compactMap(\.self).min()
  }
}
