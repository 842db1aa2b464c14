import RealModule

extension InverseProblem {
  /// The intersection of the geodesic that starts with an azimuth and the other latitude.
  private struct Trial {
    /// The error of its longitude there, in radians.
    var miss: Double
    var slope: Double
    var final: Angle
    var arc: GeodesicArc
    var parameter: Double
  }

  /// The maximum number of Newton steps.
  /// Karney's 20 steps are too few within 10⁻¹⁶ degrees of the equator where the equatorial line ends (λ₁₂ = (1 − f) · 180°). There each
  /// step doubles the azimuth's distance from 90°, which is less than 10⁻¹⁸ at first and about 10⁻¹¹ at the end. Halving the bracket
  /// instead leaves an error of 3 µm.
  private static let mostNewtonSteps = 64
  private static let mostSteps = mostNewtonSteps + 53 + 10

  /// Refines α₁ by Newton's method, inside a bracket that is halved when a step would leave it.
  /// It takes 2.1 steps on average (Karney, section 4).
  func refine(_ guess: Angle) -> Solution {
    var alpha = guess
    var (low, high) = (Angle(sine: Angle.tiny, cosine: 1), Angle(sine: Angle.tiny, cosine: -1))
    var isNewtonDone = false
    var isBracketClosed = false
    var trial = trial(alpha)
    for step in 0..<Self.mostSteps {
      if isBracketClosed || !(abs(trial.miss) >= (isNewtonDone ? 8 : 1) * .ulpOfOne) { break }
      let isLate = step > Self.mostNewtonSteps
      if trial.miss > 0, isLate || alpha.cosine / alpha.sine > high.cosine / high.sine {
        high = alpha
      } else if trial.miss < 0, isLate || alpha.cosine / alpha.sine < low.cosine / low.sine {
        low = alpha
      }
      if step < Self.mostNewtonSteps, let next = newton(alpha, trial) {
        alpha = next
        isNewtonDone = abs(trial.miss) <= 16 * .ulpOfOne
      } else {
        alpha = Angle(sine: (low.sine + high.sine) / 2, cosine: (low.cosine + high.cosine) / 2).normalized
        isNewtonDone = false
        isBracketClosed =
          abs(low.sine - alpha.sine) + (low.cosine - alpha.cosine) < .ulpOfOne
          || abs(alpha.sine - high.sine) + (alpha.cosine - high.cosine) < .ulpOfOne
      }
      trial = self.trial(alpha)
    }
    let (distance, reduced) = trial.arc.lengths(trial.parameter)
    return Solution(
      initial: alpha, final: trial.final, distance: distance * Ellipsoid.polarRadius, reducedLength: reduced * Ellipsoid.polarRadius)
  }

  private func newton(_ alpha: Angle, _ trial: Trial) -> Angle? {
    guard trial.slope > 0 else { return nil }
    let turn = -trial.miss / trial.slope
    guard abs(turn) < .pi else { return nil }
    let next = alpha + Angle(radians: turn)
    return next.sine > 0 ? next.normalized : nil
  }

  private func trial(_ azimuth: Angle) -> Trial {
    let (b1, b2) = (start.angle, end.angle)
    var alpha1 = azimuth
    // Distinguishes the two equatorial azimuths, which are both correct.
    if b1.sine == 0, alpha1.cosine == 0 { alpha1.cosine = -Angle.tiny }
    let alpha0 = Angle(sine: alpha1.sine * b1.cosine, cosine: .hypot(alpha1.cosine, alpha1.sine * b1.sine))
    let alpha2 = final(alpha1, alpha0)
    let toStart = Angle(sine: b1.sine, cosine: alpha1.cosine * b1.cosine)
    let toEnd = Angle(sine: b2.sine, cosine: alpha2.cosine * b2.cosine)
    let (sigma1, sigma2) = (toStart.normalized, toEnd.normalized)
    let arc = (sigma2 - sigma1).notNegative.radians
    let omega =
      (Angle(sine: alpha0.sine * b2.sine, cosine: toEnd.cosine) - Angle(sine: alpha0.sine * b1.sine, cosine: toStart.cosine)).notNegative
    let e = GeodesicSeries.parameter(equatorAzimuthCosine: alpha0.cosine)
    let c3 = GeodesicSeries.c3(e)
    let b3 = GeodesicSeries.sum(c3, at: sigma2) - GeodesicSeries.sum(c3, at: sigma1)
    let miss = (omega - lambda).radians - Ellipsoid.flattening * GeodesicSeries.a3(e) * alpha0.sine * (arc + b3)
    let piece = GeodesicArc(start: sigma1, end: sigma2, length: arc, startScale: start.scale, endScale: end.scale)
    let slope =
      alpha2.cosine == 0
      ? -2 * (1 - Ellipsoid.flattening) * start.scale / b1.sine
      : piece.lengths(e).reduced * (1 - Ellipsoid.flattening) / (alpha2.cosine * b2.cosine)
    return Trial(miss: miss, slope: slope, final: alpha2, arc: piece, parameter: e)
  }

  /// Returns the azimuth at the other latitude by Clairaut's relation, in a form without cancellation.
  private func final(_ alpha1: Angle, _ alpha0: Angle) -> Angle {
    let (b1, b2) = (start.angle, end.angle)
    let sine = b2.cosine != b1.cosine ? alpha0.sine / b2.cosine : alpha1.sine
    guard b2.cosine != b1.cosine || abs(b2.sine) != -b1.sine else { return Angle(sine: sine, cosine: abs(alpha1.cosine)) }
    let gain =
      b1.cosine < -b1.sine ? (b2.cosine - b1.cosine) * (b1.cosine + b2.cosine) : (b1.sine - b2.sine) * (b1.sine + b2.sine)
    let length = alpha1.cosine * b1.cosine
    return Angle(sine: sine, cosine: (length * length + gain).squareRoot() / b2.cosine)
  }
}
