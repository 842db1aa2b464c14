import Geodesy
import RealModule

/// A place on or above the ellipsoid as seen from the centre of the earth.
struct GeocentricPosition {
  /// The distance from the centre of the earth, in metres.
  let radius: Double
  /// The sine of the geocentric latitude.
  let sine: Double
  /// The cosine of the geocentric latitude, never negative.
  let cosine: Double
  let sineOfLongitude: Double
  let cosineOfLongitude: Double
  /// The sine of the geocentric minus the geodetic latitude.
  let sineOfTilt: Double
  /// The cosine of the geocentric minus the geodetic latitude.
  let cosineOfTilt: Double

  init(_ place: Coordinate, altitude: Double) {
    let latitude = place.latitude * .pi / 180
    let (s, c) = (Double.sin(latitude), max(0, Double.cos(latitude)))
    let curvature = Ellipsoid.equatorialRadius / (1 - Ellipsoid.eccentricitySquared * s * s).squareRoot()
    let distance = (curvature + altitude) * c
    let height = (curvature * (1 - Ellipsoid.eccentricitySquared) + altitude) * s
    radius = .hypot(distance, height)
    (sine, cosine) = (height / radius, distance / radius)
    let longitude = place.longitude * .pi / 180
    (sineOfLongitude, cosineOfLongitude) = (.sin(longitude), .cos(longitude))
    (sineOfTilt, cosineOfTilt) = (sine * c - cosine * s, cosine * c + sine * s)
  }
}
