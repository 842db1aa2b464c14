/// The figure of the earth that GNSS receivers use: WGS84, NIMA TR8350.2.
public enum Ellipsoid {
  /// a, metres.
  public static let equatorialRadius = 6_378_137.0
  /// f.
  public static let flattening = 1 / 298.257223563
  /// b, metres.
  static let polarRadius = equatorialRadius * (1 - flattening)
  /// n, the third flattening.
  static let thirdFlattening = flattening / (2 - flattening)
  /// e², the first eccentricity squared.
  public static let eccentricitySquared = flattening * (2 - flattening)
  /// e'², the second eccentricity squared.
  static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)
}
