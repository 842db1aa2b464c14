import Instants
import RealModule
import Venues

/// A visitor who leaves the route in an unknown direction, and may stand, walk or turn anywhere.
///
/// A Kalman filter of place and velocity with independent axes. Its likelihood adds up the evidence of many positions, even if an error
/// explains the distance of each one from the route.
struct DepartureDrift: Sendable {
  /// The place and the speed along an axis, with their covariance.
  private struct Axis: Sendable {
    var place: Double
    var speed = 0.0
    var placeVariance: Double
    var covariance = 0.0
    var speedVariance = DepartureDrift.speedDeviation * DepartureDrift.speedDeviation

    init(_ place: Double, variance: Double) { (self.place, placeVariance) = (place, variance + 0.1) }

    /// Takes a measurement of the place less the share of the previous one, and returns its likelihood.
    mutating func update(_ measured: Double, _ seconds: Double, _ error: PositionError) -> Double {
      let rest = 1 - error.share
      let process = DepartureDrift.wander * DepartureDrift.wander * seconds
      // The covariances of the measurement with the place and speed before, H P with H = (1 − share, seconds).
      let (hp, hv) = (rest * placeVariance + seconds * covariance, rest * covariance + seconds * speedVariance)
      let total = rest * hp + seconds * hv + process + error.variance
      let innovation = measured - rest * place - seconds * speed
      let (placeGain, speedGain) = ((hp + seconds * hv + process) / total, hv / total)
      let variance = placeVariance + 2 * seconds * covariance + seconds * seconds * speedVariance + process
      place += seconds * speed + placeGain * innovation
      speed += speedGain * innovation
      covariance += seconds * speedVariance - placeGain * speedGain * total
      placeVariance = variance - placeGain * placeGain * total
      speedVariance += DepartureDrift.acceleration * seconds - speedGain * speedGain * total
      return Double.exp(-innovation * innovation / (2 * total)) / total.squareRoot()
    }
  }

  /// Metres along the route of the place where the visitor left it.
  let offset: Double
  let start: Instant
  /// The logarithm of the likelihood ratio of this way and of the route.
  var ratio = 0.0
  private var (x, y): (Axis, Axis)

  /// The deviation in m/s of the speed along each axis, and its variance in (m/s)² for each second.
  private static let (speedDeviation, acceleration) = (0.7, 0.1)
  /// The metres by which a visitor strays in a second, and the speed in m/s from which one walks.
  private static let (wander, leastSpeed) = (0.2, 0.3)

  init(_ belief: RouteBelief, at time: Instant) {
    let moments = belief.moments
    (offset, start) = (moments.offset, time)
    (x, y) = (Axis(moments.x, variance: moments.xx), Axis(moments.y, variance: moments.yy))
  }

  /// Takes a position, and returns the logarithm of its likelihood.
  ///
  /// - Parameter last: the position before it.
  mutating func update(from last: GuidedPosition, to position: GuidedPosition, _ error: PositionError) -> Double {
    let seconds = min(RouteBelief.longestStep, max(0.05, (position.time - last.time).seconds))
    let (now, before) = (position.place.point, last.place.point)
    let likelihood =
      x.update(now.x - error.share * before.x, seconds, error) * y.update(now.y - error.share * before.y, seconds, error)
    let moves = (x.speed * x.speed + y.speed * y.speed).squareRoot() > Self.leastSpeed
    let miss = position.isWalking == false && moves ? Double.exp(-RouteBelief.missedSteps * seconds) : 1
    return Double.log(likelihood * miss + RouteBelief.outlier / error.variance)
  }

  /// The present place.
  var point: PlanPoint { PlanPoint(x: x.place, y: y.place) }
}
