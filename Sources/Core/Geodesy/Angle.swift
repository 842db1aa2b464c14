import RealModule

/// An angle as its sine and cosine, which preserves precision near the borders of quadrants.
struct Angle: Hashable, Sendable {
  var sine: Double
  var cosine: Double

  /// A replacement for zero where the quotient of two zeros would have no sign.
  static let tiny = Double.leastNormalMagnitude.squareRoot()

  static let zero = Angle(sine: 0, cosine: 1)
  static let quarter = Angle(sine: 1, cosine: 0)

  init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  init(radians: Double) {
    self.init(sine: .sin(radians), cosine: .cos(radians))
  }

  /// Creates an angle from degrees, exact at every multiple of 90.
  /// A sine of zero has the sign of the angle, and a cosine of zero is positive (C17, F.10.1), because the quadrant of an angle of 180°
  /// depends on these signs.
  init(degrees: Double, plus remainder: Double = 0) {
    let reduced = degrees.remainder(dividingBy: 360)
    let quadrant = (reduced / 90).rounded(.toNearestOrEven)
    var rest = reduced - 90 * quadrant
    if remainder != 0 { rest = (rest + remainder).roundedNearZero }
    let (s, c) = (Double.sin(rest * .radiansPerDegree), Double.cos(rest * .radiansPerDegree))
    switch Int(quadrant) & 3 {
    case 0: self.init(sine: s, cosine: c)
    case 1: self.init(sine: c, cosine: -s)
    case 2: self.init(sine: -s, cosine: -c)
    default: self.init(sine: -c, cosine: s)
    }
    if sine == 0 { sine = Double(signOf: degrees, magnitudeOf: 0) }
    cosine += 0
  }

  /// The unit vector of the same direction.
  var normalized: Angle {
    let length = Double.hypot(sine, cosine)
    return Angle(sine: sine / length, cosine: cosine / length)
  }

  var radians: Double { .atan2(y: sine, x: cosine) }
  var degrees: Double { radians / .radiansPerDegree }

  static prefix func - (angle: Angle) -> Angle { Angle(sine: -angle.sine, cosine: angle.cosine) }

  static func + (left: Angle, right: Angle) -> Angle {
    Angle(
      sine: left.sine * right.cosine + left.cosine * right.sine,
      cosine: left.cosine * right.cosine - left.sine * right.sine)
  }

  static func - (left: Angle, right: Angle) -> Angle { left + -right }

  /// The angle in 0…π, even if rounding brought it below zero.
  /// Its sine is never −0, which would turn π into −π.
  var notNegative: Angle { Angle(sine: max(0, sine) + 0, cosine: cosine) }
}

extension Double {
  static let radiansPerDegree = Double.pi / 180

  /// The degrees without the bits below 2⁻⁵⁷, so that an angle close to zero becomes zero.
  var roundedNearZero: Double {
    let sixteenth = 1.0 / 16
    let magnitude = abs(self)
    let rounded = magnitude < sixteenth ? sixteenth - (sixteenth - magnitude) : magnitude
    return Double(signOf: self, magnitudeOf: rounded)
  }

  /// Returns the difference of two longitudes in degrees, -180…180, and its rounding error.
  static func difference(from start: Double, to end: Double) -> (degrees: Double, error: Double) {
    let (first, firstError) = exactSum((-start).remainder(dividingBy: 360), end.remainder(dividingBy: 360))
    var (sum, error) = exactSum(first.remainder(dividingBy: 360), firstError)
    if sum == 0 || abs(sum) == 180 { sum = Double(signOf: error == 0 ? end - start : -error, magnitudeOf: sum) }
    return (sum, error)
  }

  /// Returns the sum and its rounding error (Knuth, TAOCP vol. 2, 4.2.2, theorem B).
  private static func exactSum(_ u: Double, _ v: Double) -> (Double, Double) {
    let sum = u + v
    let v2 = sum - u
    let u2 = sum - v2
    return (sum, (u - u2) + (v - v2))
  }
}
