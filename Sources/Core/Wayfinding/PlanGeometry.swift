import RealModule
import Venues

// Directions and nearest points on the plan.

extension PlanPoint {
  /// Returns the direction to another point in degrees clockwise from the y axis, -180...180.
  func direction(to other: PlanPoint) -> Double { Double.atan2(y: other.x - x, x: other.y - y) * 180 / .pi }

  /// Returns the point at a distance in a direction, in degrees clockwise from the y axis.
  func moved(_ metres: Double, direction: Double) -> PlanPoint {
    let angle = direction * .pi / 180
    return PlanPoint(x: x + metres * Double.sin(angle), y: y + metres * Double.cos(angle))
  }
}

extension PlanSegment {
  var length: Double { from.distance(to: to) }

  /// Returns the share of the way to the nearest point of the segment, 0...1.
  func share(nearestTo point: PlanPoint) -> Double {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let square = dx * dx + dy * dy
    guard square > 0 else { return 0 }
    return min(1, max(0, ((point.x - from.x) * dx + (point.y - from.y) * dy) / square))
  }

  /// Returns the nearest point of the segment.
  func nearest(to point: PlanPoint) -> PlanPoint { from.towards(to, share(nearestTo: point)) }

  /// Returns the point where two lines cross within both segments; nil for parallel ones and for others.
  func intersection(with other: PlanSegment) -> PlanPoint? {
    let (ax, ay) = (to.x - from.x, to.y - from.y)
    let (bx, by) = (other.to.x - other.from.x, other.to.y - other.from.y)
    let cross = ax * by - ay * bx
    guard abs(cross) > 1e-12 else { return nil }
    let (dx, dy) = (other.from.x - from.x, other.from.y - from.y)
    let (s, t) = ((dx * by - dy * bx) / cross, (dx * ay - dy * ax) / cross)
    return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? from.towards(to, s) : nil
  }
}

extension PlanPolygon {
  /// The edges of the outline and of the holes.
  var segments: [PlanSegment] {
    rings.flatMap { ring in ring.indices.map { PlanSegment(from: ring[$0], to: ring[($0 + 1) % ring.count]) } }
  }
}

/// Returns the smaller angle from one direction to another in degrees: positive to the right, -180...180.
func turn(from: Double, to: Double) -> Double { (to - from).remainder(dividingBy: 360) }
