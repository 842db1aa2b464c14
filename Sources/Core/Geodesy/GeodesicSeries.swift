/// The series in the small parameter ε for the integrals of a geodesic: sixth order, exact to 15 nm on the earth.
///
/// C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013), doi 10.1007/s00190-012-0578-z; the numbers are those of its
/// equations.
enum GeodesicSeries {
  /// Fourier coefficients of sin 2kσ for k = 1…6.
  typealias Coefficients = (Double, Double, Double, Double, Double, Double)

  /// ε of a geodesic, from the cosine of its azimuth where it or its extension crosses the equator (9, 16).
  static func parameter(equatorAzimuthCosine cosine: Double) -> Double {
    parameter(squaredK: Ellipsoid.secondEccentricitySquared * cosine * cosine)
  }

  static func parameter(squaredK k2: Double) -> Double { k2 / (2 * (1 + (1 + k2).squareRoot()) + k2) }

  /// A₁ − 1 (17), which scales arc to distance.
  static func a1MinusOne(_ e: Double) -> Double {
    let e2 = e * e
    return (e + e2 * (64 + e2 * (4 + e2)) / 256) / (1 - e)
  }

  /// A₂ − 1 (42).
  static func a2MinusOne(_ e: Double) -> Double {
    let e2 = e * e
    return (-e - e2 * (192 + e2 * (28 + 11 * e2)) / 256) / (1 + e)
  }

  /// C₁ (18), from arc to distance.
  static func c1(_ e: Double) -> Coefficients {
    let (e2, p) = powers(e)
    return (
      p.0 * (-16 + e2 * (6 - e2)) / 32, p.1 * (-128 + e2 * (64 - 9 * e2)) / 2048, p.2 * (-16 + 9 * e2) / 768,
      p.3 * (-5 + 3 * e2) / 512, p.4 * -7 / 1280, p.5 * -7 / 2048
    )
  }

  /// C₁′ (21), from distance to arc.
  static func c1Reverted(_ e: Double) -> Coefficients {
    let (e2, p) = powers(e)
    return (
      p.0 * (768 + e2 * (-432 + 205 * e2)) / 1536, p.1 * (3840 + e2 * (-4736 + 4005 * e2)) / 12288, p.2 * (116 - 225 * e2) / 384,
      p.3 * (2695 - 7173 * e2) / 7680, p.4 * 3467 / 7680, p.5 * 38081 / 61440
    )
  }

  /// C₂ (43), for the reduced length.
  static func c2(_ e: Double) -> Coefficients {
    let (e2, p) = powers(e)
    return (
      p.0 * (16 + e2 * (2 + e2)) / 32, p.1 * (384 + e2 * (64 + 35 * e2)) / 2048, p.2 * (80 + 15 * e2) / 768,
      p.3 * (35 + 7 * e2) / 512, p.4 * 63 / 1280, p.5 * 77 / 2048
    )
  }

  /// A₃ (24), which scales arc to longitude.
  static func a3(_ e: Double) -> Double {
    let n = Ellipsoid.thirdFlattening
    let terms = (
      (1 - n) / 2, (2 + n * (1 - 3 * n)) / 8, (1 + n * (3 + n)) / 16, (3 + 2 * n) / 64, 3.0 / 128
    )
    return 1 - e * (terms.0 + e * (terms.1 + e * (terms.2 + e * (terms.3 + e * terms.4))))
  }

  /// C₃ (25), from arc to longitude.
  static func c3(_ e: Double) -> Coefficients {
    let n = Ellipsoid.thirdFlattening
    let (_, p) = powers(e)
    let first = (1 - n) / 4 + e * ((1 - n * n) / 8 + e * ((3 + n * (3 - n)) / 64 + e * ((5 + 2 * n) / 128 + e * 3 / 128)))
    let second = (2 + n * (-3 + n)) / 32 + e * ((3 + n * (-2 - 3 * n)) / 64 + e * ((3 + n) / 128 + e * 5 / 256))
    let third = (5 + n * (-9 + 5 * n)) / 192 + e * ((9 - 10 * n) / 384 + e * 7 / 512)
    let fourth = (7 - 14 * n) / 512 + e * 7 / 512
    return (p.0 * first, p.1 * second, p.2 * third, p.3 * fourth, p.4 * 21 / 2560, 0)
  }

  /// Σ cₖ sin 2kσ, by Clenshaw's recurrence.
  static func sum(_ c: Coefficients, at sigma: Angle) -> Double {
    let twist = 2 * (sigma.cosine - sigma.sine) * (sigma.cosine + sigma.sine)
    let b6 = c.5
    let b5 = twist * b6 + c.4
    let b4 = twist * b5 - b6 + c.3
    let b3 = twist * b4 - b5 + c.2
    let b2 = twist * b3 - b4 + c.1
    let b1 = twist * b2 - b3 + c.0
    return 2 * sigma.sine * sigma.cosine * b1
  }

  private static func powers(_ e: Double) -> (squared: Double, Coefficients) {
    let e2 = e * e
    return (e2, (e, e2, e2 * e, e2 * e2, e2 * e2 * e, e2 * e2 * e2))
  }
}
