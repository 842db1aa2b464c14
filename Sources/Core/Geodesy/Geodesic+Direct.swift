import RealModule

extension Coordinate {
  /// Returns the place and the azimuth after `distance` metres along the geodesic that starts here toward `azimuth`.
  /// Azimuths are degrees clockwise from true north.
  ///
  /// A negative distance goes in the opposite direction. Every finite argument has a result.
  public func destination(azimuth: Double, distance: Double) -> (coordinate: Coordinate, azimuth: Double) {
    let start = Geodesic.Reduced(latitude: latitude.roundedNearZero).angle
    let alpha1 = Angle(degrees: azimuth.roundedNearZero)
    // α₀, the azimuth at which the geodesic crosses the equator (5).
    let alpha0 = Angle(sine: alpha1.sine * start.cosine, cosine: .hypot(alpha1.cosine, alpha1.sine * start.sine))
    let isEquatorial = start.sine == 0 && alpha1.cosine == 0
    let toStart = Angle(sine: start.sine, cosine: isEquatorial ? 1 : start.cosine * alpha1.cosine)
    let omega1 = Angle(sine: alpha0.sine * start.sine, cosine: toStart.cosine)
    let sigma1 = toStart.normalized

    let e = GeodesicSeries.parameter(equatorAzimuthCosine: alpha0.cosine)
    let b1 = GeodesicSeries.sum(GeodesicSeries.c1(e), at: sigma1)
    let tau12 = distance / (Ellipsoid.polarRadius * (1 + GeodesicSeries.a1MinusOne(e)))
    let tau2 = sigma1 + Angle(radians: b1) + Angle(radians: tau12)
    let arc = tau12 + GeodesicSeries.sum(GeodesicSeries.c1Reverted(e), at: tau2) + b1
    let sigma2 = sigma1 + Angle(radians: arc)

    var end = Angle(sine: alpha0.cosine * sigma2.sine, cosine: .hypot(alpha0.sine, alpha0.cosine * sigma2.cosine))
    if end.cosine == 0 { end.cosine = Angle.tiny }
    let alpha2 = Angle(sine: alpha0.sine, cosine: alpha0.cosine * sigma2.cosine)
    let omega2 = Angle(sine: alpha0.sine * sigma2.sine, cosine: sigma2.cosine)

    let c3 = GeodesicSeries.c3(e)
    let b3 = GeodesicSeries.sum(c3, at: sigma2) - GeodesicSeries.sum(c3, at: sigma1)
    let lambda = (omega2 - omega1).radians - Ellipsoid.flattening * alpha0.sine * GeodesicSeries.a3(e) * (arc + b3)
    let place = Coordinate(
      latitude: Angle(sine: end.sine, cosine: (1 - Ellipsoid.flattening) * end.cosine).degrees,
      longitude: (longitude + lambda / .radiansPerDegree).remainder(dividingBy: 360))
    return (place ?? self, alpha2.degrees)
  }
}
