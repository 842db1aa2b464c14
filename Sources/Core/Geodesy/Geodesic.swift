/// The shortest line on WGS84 between two places.
///
/// Exact to 15 nm everywhere: C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), doi 10.1007/s00190-012-0578-z.
public struct Geodesic: Hashable, Sendable {
  /// Metres.
  public let distance: Double
  /// The direction in which it leaves its start: degrees clockwise from true north, -180…180.
  public let initialAzimuth: Double
  /// The direction in which it arrives and would go on.
  public let finalAzimuth: Double
  /// m₁₂, metres: how far the end moves sideways for each radian by which the initial azimuth turns.
  public let reducedLength: Double

  init(distance: Double, initialAzimuth: Double, finalAzimuth: Double, reducedLength: Double) {
    self.distance = distance
    self.initialAzimuth = initialAzimuth
    self.finalAzimuth = finalAzimuth
    self.reducedLength = reducedLength
  }

  /// Metres from its start, on a plane on which distance and azimuth from there are true.
  public var offset: (east: Double, north: Double) {
    let azimuth = Angle(degrees: initialAzimuth)
    return (distance * azimuth.sine, distance * azimuth.cosine)
  }

  /// A place by its reduced latitude β on the auxiliary sphere.
  struct Reduced {
    /// β, its cosine never zero.
    var angle: Angle
    /// √(1 + e'² sin² β).
    var scale: Double

    /// Degrees of geodetic latitude.
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
