import RealModule

extension Geodesic {
  public init(from start: Coordinate, to end: Coordinate) {
    var problem = InverseProblem(start, end)
    self = problem.solve()
  }
}

/// The inverse problem for two places, in the canonical order that the solution requires.
/// The order is 0 ≤ λ₁₂ ≤ π, β₁ ≤ 0, β₁ ≤ β₂ ≤ −β₁ (Karney, section 4).
struct InverseProblem {
  var start: Geodesic.Reduced
  var end: Geodesic.Reduced
  /// λ₁₂.
  let lambda: Angle
  /// λ₁₂ in radians.
  let lambdaRadians: Double
  /// 180° − λ₁₂, in degrees.
  private let supplement: Double
  private let isAtPole: Bool
  private var isSwapped = false
  private var eastward: Double
  private let southward: Double

  /// The azimuths at both ends, and the arc between them.
  struct Solution {
    var initial: Angle
    var final: Angle
    /// The distance in metres.
    var distance: Double
    var reducedLength: Double
  }

  init(_ from: Coordinate, _ to: Coordinate) {
    let (difference, error) = Double.difference(from: from.longitude, to: to.longitude)
    eastward = difference.sign == .minus ? -1 : 1
    let degrees = eastward * difference
    lambda = Angle(degrees: degrees, plus: eastward * error)
    lambdaRadians = degrees * .radiansPerDegree
    supplement = (180 - degrees) - eastward * error
    var (first, second) = (from.latitude.roundedNearZero, to.latitude.roundedNearZero)
    if abs(first) < abs(second) {
      (first, second) = (second, first)
      isSwapped = true
      eastward = -eastward
    }
    southward = first.sign == .minus ? 1 : -1
    (first, second) = (southward * first, southward * second)
    isAtPole = first == -90
    start = Geodesic.Reduced(latitude: first)
    end = Geodesic.Reduced(latitude: second)
    equaliseLatitudes()
  }

  /// Makes latitudes that are equal or opposite so to the last bit.
  private mutating func equaliseLatitudes() {
    if start.angle.cosine < -start.angle.sine {
      if end.angle.cosine == start.angle.cosine {
        end.angle.sine = Double(signOf: end.angle.sine, magnitudeOf: start.angle.sine)
        end = Geodesic.Reduced(angle: end.angle)
      }
    } else if abs(end.angle.sine) == -start.angle.sine {
      end.angle.cosine = start.angle.cosine
    }
  }

  mutating func solve() -> Geodesic {
    let solution = meridian() ?? equator() ?? general()
    var (initial, final) = (solution.initial, solution.final)
    if isSwapped { (initial, final) = (final, initial) }
    let (x, y) = isSwapped ? (-eastward, -southward) : (eastward, southward)
    return Geodesic(
      distance: 0 + solution.distance,
      initialAzimuth: Angle(sine: x * initial.sine, cosine: y * initial.cosine).degrees,
      finalAzimuth: Angle(sine: x * final.sine, cosine: y * final.cosine).degrees,
      reducedLength: 0 + solution.reducedLength)
  }

  /// Returns the solution along a meridian; nil if the places are not on one or the shortest line leaves it.
  private func meridian() -> Solution? {
    guard isAtPole || lambda.sine == 0 else { return nil }
    let sigma1 = Angle(sine: start.angle.sine, cosine: lambda.cosine * start.angle.cosine)
    let sigma2 = end.angle
    let arc = GeodesicArc(
      start: sigma1, end: sigma2, length: (sigma2 - sigma1).notNegative.radians, startScale: start.scale, endScale: end.scale)
    var (distance, reduced) = arc.lengths(Ellipsoid.thirdFlattening)
    guard arc.length < Self.shortArc || reduced >= 0 else { return nil }
    if arc.length < 3 * Angle.tiny || (arc.length < .ulpOfOne && (distance < 0 || reduced < 0)) { (distance, reduced) = (0, 0) }
    return Solution(
      initial: lambda, final: .zero, distance: distance * Ellipsoid.polarRadius, reducedLength: reduced * Ellipsoid.polarRadius)
  }

  /// Returns the solution along the equator; nil if the places are not on it or the shortest line leaves it.
  private func equator() -> Solution? {
    guard start.angle.sine == 0, supplement >= Ellipsoid.flattening * 180 else { return nil }
    return Solution(
      initial: .quarter, final: .quarter, distance: Ellipsoid.equatorialRadius * lambdaRadians,
      reducedLength: Ellipsoid.polarRadius * .sin(lambdaRadians / (1 - Ellipsoid.flattening)))
  }

  private func general() -> Solution {
    switch guess() {
    case .short(let initial, let final, let arc, let scale):
      return Solution(
        initial: initial, final: final, distance: arc * Ellipsoid.polarRadius * scale,
        reducedLength: scale * scale * Ellipsoid.polarRadius * .sin(arc / scale))
    case .azimuth(let initial):
      return refine(initial)
    }
  }

  /// √ε, below which an arc is short.
  static let shortArc = Double.ulpOfOne.squareRoot()
}

/// A segment of a geodesic on the auxiliary sphere, between two reduced latitudes.
struct GeodesicArc {
  /// σ₁ and σ₂, from the northward crossing of the equator.
  var start: Angle
  var end: Angle
  /// σ₂ − σ₁, in radians.
  var length: Double
  /// √(1 + k² sin² σ) at both ends.
  var startScale: Double
  var endScale: Double

  /// Returns s₁₂ and m₁₂, both divided by b (7, 38, 40).
  func lengths(_ e: Double) -> (distance: Double, reduced: Double) {
    let (a1, a2) = (GeodesicSeries.a1MinusOne(e), GeodesicSeries.a2MinusOne(e))
    let (c1, c2) = (GeodesicSeries.c1(e), GeodesicSeries.c2(e))
    let b1 = (1 + a1) * (GeodesicSeries.sum(c1, at: end) - GeodesicSeries.sum(c1, at: start))
    let b2 = (1 + a2) * (GeodesicSeries.sum(c2, at: end) - GeodesicSeries.sum(c2, at: start))
    let j = (a1 - a2) * length + (b1 - b2)
    let reduced =
      endScale * (start.cosine * end.sine) - startScale * (start.sine * end.cosine) - start.cosine * end.cosine * j
    return ((1 + a1) * length + b1, reduced)
  }
}
