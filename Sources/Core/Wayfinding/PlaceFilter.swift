import RealModule
import Venues

/// A Kalman filter of the place and speed of a visitor whose direction is known.
struct PlaceFilter: Sendable {
  private(set) var x: Double
  private(set) var y: Double
  private var speed: Double
  private var xx: Double
  private var xy: Double
  private var yy: Double
  private var xv = 0.0
  private var yv = 0.0
  private var vv: Double

  /// The deviation in m/s of a visitor's speed from the usual one, and the speeds of walkers.
  private static let (speedDeviation, speeds) = (0.25, 0.3...2.2)
  /// The metres by which a walker strays from the direction in a second, and by which a visitor who stands moves.
  private static let (wander, sway) = (0.2, 0.05)

  init(_ belief: RouteBelief, speed: Double) {
    let moments = belief.moments
    (x, y, self.speed) = (moments.x, moments.y, speed)
    (xx, xy, yy) = (moments.xx + 0.1, moments.xy, moments.yy + 0.1)
    vv = Self.speedDeviation * Self.speedDeviation
  }

  /// Takes a position, and returns its likelihood.
  ///
  /// - Parameters:
  ///   - last: the position before it.
  ///   - seconds: the time between the two.
  ///   - heading: the direction of the way between the two; nil for a visitor who stands.
  mutating func update(
    from last: GuidedPosition, to position: GuidedPosition, _ seconds: Double, heading: Double?, _ error: PositionError
  ) -> Double {
    let angle = (heading ?? 0) * .pi / 180
    let (ux, uy) = heading == nil ? (0, 0) : (Double.sin(angle) * seconds, Double.cos(angle) * seconds)
    let spread = heading == nil ? Self.sway : Self.wander
    let process = spread * spread * seconds
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
    speed = min(Self.speeds.upperBound, max(Self.speeds.lowerBound, speed + gv.0 * ix + gv.1 * iy))
    xx = pxx - gx.0 * cxx - gx.1 * cxy
    xy = pxy - gx.0 * cyx - gx.1 * cyy
    yy = pyy - gy.0 * cyx - gy.1 * cyy
    xv = pxv - gx.0 * cvx - gx.1 * cvy
    yv = pyv - gy.0 * cvx - gy.1 * cvy
    vv += 0.01 * seconds - gv.0 * cvx - gv.1 * cvy
    return likelihood
  }

  /// Returns the mean and the covariance of two states.
  ///
  /// - Parameter share: the probability of the other one.
  func mixed(with other: PlaceFilter, share: Double) -> PlaceFilter {
    let (dx, dy, dv, own) = (other.x - x, other.y - y, other.speed - speed, 1 - share)
    let between = share * own
    var mixed = self
    mixed.x += share * dx
    mixed.y += share * dy
    mixed.speed += share * dv
    mixed.xx = own * xx + share * other.xx + between * dx * dx
    mixed.xy = own * xy + share * other.xy + between * dx * dy
    mixed.yy = own * yy + share * other.yy + between * dy * dy
    mixed.xv = own * xv + share * other.xv + between * dx * dv
    mixed.yv = own * yv + share * other.yv + between * dy * dv
    mixed.vv = own * vv + share * other.vv + between * dv * dv
    return mixed
  }
}
