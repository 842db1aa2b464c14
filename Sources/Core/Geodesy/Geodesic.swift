/// The shortest line on WGS84 between two places.
///
/// Exact to 15 nm everywhere: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), doi 10.1007/s00190-012-0578-z.
public struct Geodesic: Hashable, Sendable {
  /// The length in metres.
  public let distance: Double
  /// The azimuth at the start: degrees clockwise from true north, -180…180.
  public let initialAzimuth: Double
  /// The azimuth at the end, in the direction of travel.
  public let finalAzimuth: Double
  /// m₁₂, in metres: the sideways displacement of the end per radian of change in the initial azimuth.
  public let reducedLength: Double

  init(distance: Double, initialAzimuth: Double, finalAzimuth: Double, reducedLength: Double) {
    self.distance = distance
    self.initialAzimuth = initialAzimuth
    self.finalAzimuth = finalAzimuth
    self.reducedLength = reducedLength
  }

  /// The offset in metres from the start, on a plane that preserves distance and azimuth from there.
  public var offset: (east: Double, north: Double) {
    let azimuth = Angle(degrees: initialAzimuth)
    return (distance * azimuth.sine, distance * azimuth.cosine)
  }

  /// A place by its reduced latitude β on the auxiliary sphere.
  struct Reduced {
    /// β, with a cosine that is never zero.
    var angle: Angle
    /// √(1 + e'² sin² β).
    var scale: Double

    /// Creates the place from degrees of geodetic latitude.
    init(latitude: Double) {
      let geodetic = Angle(degrees: latitude)
      var reduced = Angle(sine: (1 - Ellipsoid.flattening) * geodetic.sine, cosine: geodetic.cosine).normalized
      reduced.cosine = max(Angle.tiny, reduced.cosine)
      self.init(angle: reduced)
    }

    init(angle: Angle) {
      self.angle = angle
      scale = (1 + Ellipsoid.secondEccentricitySquared * angle.sine * angle.sine).squareRoot()
    }
  }
}
