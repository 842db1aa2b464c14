import RealModule

extension InverseProblem {
  enum Guess {
    /// An arc short enough for a sphere with the radius at its middle to be exact.
    case short(initial: Angle, final: Angle, arc: Double, scale: Double)
    /// An initial azimuth, close enough for Newton's method.
    case azimuth(Angle)
  }

  /// The length of arc below which the error of the sphere is smaller than rounding.
  private static let sphericalArc =
    0.1 * shortArc / (max(0.001, Ellipsoid.flattening) * min(1, 1 - Ellipsoid.flattening / 2) / 2).squareRoot()

  /// Returns a guess from the sphere (48–51), or from the astroid near the antipode (53–59).
  func guess() -> Guess {
    let (b1, b2) = (start.angle, end.angle)
    let difference = b2 - b1
    let sumSine = b2.sine * b1.cosine + b2.cosine * b1.sine
    let isShort = difference.cosine >= 0 && difference.sine < 0.5 && b2.cosine * lambdaRadians < 0.5
    var omega = lambda
    var scale = 1.0
    if isShort {
      let square = (b1.sine + b2.sine) * (b1.sine + b2.sine)
      let middle = square / (square + (b1.cosine + b2.cosine) * (b1.cosine + b2.cosine))
      scale = (1 + Ellipsoid.secondEccentricitySquared * middle).squareRoot()
      omega = Angle(radians: lambdaRadians / ((1 - Ellipsoid.flattening) * scale))
    }
    let s2 = omega.sine * omega.sine
    var initial = Angle(
      sine: b2.cosine * omega.sine,
      cosine: omega.cosine >= 0
        ? difference.sine + b2.cosine * b1.sine * s2 / (1 + omega.cosine)
        : sumSine - b2.cosine * b1.sine * s2 / (1 - omega.cosine))
    let arc = Angle(
      sine: .hypot(initial.sine, initial.cosine), cosine: b1.sine * b2.sine + b1.cosine * b2.cosine * omega.cosine)

    if isShort, arc.sine < Self.sphericalArc {
      let lift = omega.cosine >= 0 ? s2 / (1 + omega.cosine) : 1 - omega.cosine
      let final = Angle(sine: b1.cosine * omega.sine, cosine: difference.sine - b1.cosine * b2.sine * lift)
      return .short(initial: initial.safelyNormalized, final: final.normalized, arc: arc.radians, scale: scale)
    }
    if arc.cosine < 0, arc.sine < 6 * Ellipsoid.thirdFlattening * .pi * b1.cosine * b1.cosine {
      initial = antipodal(sumSine: sumSine)
    }
    return .azimuth(initial.safelyNormalized)
  }

  /// Returns the azimuth near the antipode, in coordinates with the antipode as origin.
  /// Their unit is that of the astroid, the envelope of the geodesics.
  private func antipodal(sumSine: Double) -> Angle {
    let (b1, b2) = (start.angle, end.angle)
    let e = GeodesicSeries.parameter(squaredK: b1.sine * b1.sine * Ellipsoid.secondEccentricitySquared)
    let unit = Ellipsoid.flattening * b1.cosine * GeodesicSeries.a3(e) * .pi
    let x = Double.atan2(y: -lambda.sine, x: -lambda.cosine) / unit
    let y = sumSine / (unit * b1.cosine)
    if y > -200 * .ulpOfOne, x > -1 - 1000 * Self.shortArc {
      let sine = min(1, -x)
      return Angle(sine: sine, cosine: -(1 - sine * sine).squareRoot())
    }
    let k = Self.astroid(x, y)
    let turn = unit * (-x * k / (1 + k))
    let omega = Angle(sine: .sin(turn), cosine: -.cos(turn))
    return Angle(
      sine: b2.cosine * omega.sine, cosine: sumSine - b2.cosine * b1.sine * omega.sine * omega.sine / (1 - omega.cosine))
  }

  /// The positive root κ of κ⁴ + 2κ³ − (x² + y² − 1)κ² − 2y²κ − y² = 0 (55).
  static func astroid(_ x: Double, _ y: Double) -> Double {
    let (p, q) = (x * x, y * y)
    let r = (p + q - 1) / 6
    // The root is zero on the axis inside the astroid.
    if q == 0 && r <= 0 { return 0 }
    let s = p * q / 4
    let (r2, r3) = (r * r, r * r * r)
    let discriminant = s * (s + 2 * r3)
    var u = r
    if discriminant >= 0 {
      var t3 = s + r3
      // This sign avoids cancellation.
      t3 += t3 < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()
      let t = Double.root(t3, 3)
      u += t + (t != 0 ? r2 / t : 0)
    } else {
      let angle = Double.atan2(y: (-discriminant).squareRoot(), x: -(s + r3))
      u += 2 * r * .cos(angle / 3)
    }
    let v = (u * u + q).squareRoot()
    let uv = u < 0 ? q / (v - u) : u + v
    let w = (uv - q) / (2 * v)
    return uv / ((uv + w * w).squareRoot() + w)
  }
}

extension Angle {
  /// The normalised angle, limited to the east if the guess lies beyond it.
  fileprivate var safelyNormalized: Angle { sine > 0 ? normalized : .quarter }
}
