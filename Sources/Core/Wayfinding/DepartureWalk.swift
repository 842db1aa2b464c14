import Instants
import RealModule
import Venues

/// A walk away from the route in the directions of the visitor, as a Kalman filter of place and speed.
struct DepartureWalk: Sendable {
  /// Metres along the route of the place where the visitor left it.
  let offset: Double
  let start: Instant
  /// The logarithm of the likelihood ratio of this walk and of the route.
  var ratio = 0.0
  private(set) var x: Double
  private(set) var y: Double
  private var speed: Double
  private var xx: Double
  private var xy: Double
  private var yy: Double
  private var xv = 0.0
  private var yv = 0.0
  private var vv: Double
  /// The seconds for which the visitor did not walk along the route.
  var turned = 0.0

  /// The deviation in m/s of a visitor's speed from the usual one.
  private static let speedDeviation = 0.25
  /// The metres by which a walk strays from the directions of the visitor in a second.
  private static let wander = 0.2

  init(_ belief: RouteBelief, at time: Instant, speed: Double) {
    let moments = belief.moments
    (offset, start) = (moments.offset, time)
    (x, y, self.speed) = (moments.x, moments.y, speed)
    (xx, xy, yy) = (moments.xx + 0.1, moments.xy, moments.yy + 0.1)
    vv = Self.speedDeviation * Self.speedDeviation
  }

  /// Takes a position, and returns the logarithm of its likelihood.
  ///
  /// - Parameters:
  ///   - last: the position before it.
  ///   - heading: the direction of the way between the two.
  mutating func update(from last: GuidedPosition, to position: GuidedPosition, heading: Double, _ error: PositionError) -> Double {
    let seconds = min(5, max(0.05, (position.time - last.time).seconds))
    let angle = heading * .pi / 180
    let (ux, uy) = (Double.sin(angle) * seconds, Double.cos(angle) * seconds)
    let process = Self.wander * Self.wander * seconds
    let rest = 1 - error.share
    // The covariances of the measurement, H P with H = (1 − share, direction).
    let (hxx, hxy, hxv) = (rest * xx + ux * xv, rest * xy + ux * yv, rest * xv + ux * vv)
    let (hyx, hyy, hyv) = (rest * xy + uy * xv, rest * yy + uy * yv, rest * yv + uy * vv)
    let noise = process + error.variance
    let (sxx, sxy, syy) = (rest * hxx + ux * hxv + noise, rest * hxy + uy * hxv, rest * hyy + uy * hyv + noise)
    let determinant = sxx * syy - sxy * sxy
    let ix = position.place.point.x - error.share * last.place.point.x - rest * x - ux * speed
    let iy = position.place.point.y - error.share * last.place.point.y - rest * y - uy * speed
    let (wx, wy) = ((syy * ix - sxy * iy) / determinant, (sxx * iy - sxy * ix) / determinant)
    let likelihood = Double.exp(-(ix * wx + iy * wy) / 2) / determinant.squareRoot()
    // The covariances of the next state and the measurement.
    let (cxx, cxy) = (hxx + ux * hxv + process, hyx + ux * hyv)
    let (cyx, cyy) = (hxy + uy * hxv, hyy + uy * hyv + process)
    let (cvx, cvy) = (hxv, hyv)
    func gain(_ a: Double, _ b: Double) -> (Double, Double) { ((a * syy - b * sxy) / determinant, (b * sxx - a * sxy) / determinant) }
    let (gx, gy, gv) = (gain(cxx, cxy), gain(cyx, cyy), gain(cvx, cvy))
    x += ux * speed + gx.0 * ix + gx.1 * iy
    y += uy * speed + gy.0 * ix + gy.1 * iy
    let (pxx, pxy, pyy) = (
      xx + 2 * ux * xv + ux * ux * vv + process, xy + ux * yv + uy * xv + ux * uy * vv, yy + 2 * uy * yv + uy * uy * vv + process
    )
    let (pxv, pyv) = (xv + ux * vv, yv + uy * vv)
    speed += gv.0 * ix + gv.1 * iy
    speed = min(2.2, max(0.3, speed))
    xx = pxx - gx.0 * cxx - gx.1 * cxy
    xy = pxy - gx.0 * cyx - gx.1 * cyy
    yy = pyy - gy.0 * cyx - gy.1 * cyy
    xv = pxv - gx.0 * cvx - gx.1 * cvy
    yv = pyv - gy.0 * cvx - gy.1 * cvy
    vv = vv - gv.0 * cvx - gv.1 * cvy + 0.01 * seconds
    let factor = position.isWalking == false ? Double.exp(-RouteBelief.missedSteps * seconds) : 1
    return Double.log(likelihood * factor + RouteBelief.outlier / error.variance)
  }

  /// The present place.
  var point: PlanPoint { PlanPoint(x: x, y: y) }
}
