/// A straight line between two points of a plan.
public struct PlanSegment: Hashable, Sendable {
  public var from: PlanPoint
  public var to: PlanPoint

  public init(from: PlanPoint, to: PlanPoint) {
    self.from = from
    self.to = to
  }

  /// Returns the distance to the nearest point of the segment.
  public func distance(to point: PlanPoint) -> Double {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let square = dx * dx + dy * dy
    guard square > 0 else { return from.distance(to: point) }
    let share = ((point.x - from.x) * dx + (point.y - from.y) * dy) / square
    return from.towards(to, min(1, max(0, share))).distance(to: point)
  }

  /// Returns whether the segments have a common point.
  public func touches(_ other: PlanSegment) -> Bool {
    let (a, b) = (from.side(ofLineFrom: other.from, to: other.to), to.side(ofLineFrom: other.from, to: other.to))
    let (c, d) = (other.from.side(ofLineFrom: from, to: to), other.to.side(ofLineFrom: from, to: to))
    guard a != 0 || b != 0 || c != 0 || d != 0 else { return bounds.intersects(other.bounds) }
    return (a <= 0 && b >= 0 || a >= 0 && b <= 0) && (c <= 0 && d >= 0 || c >= 0 && d <= 0)
  }

  /// Returns whether the inner points of the segments cross in one point.
  func crosses(_ other: PlanSegment) -> Bool {
    let (a, b) = (from.side(ofLineFrom: other.from, to: other.to), to.side(ofLineFrom: other.from, to: other.to))
    let (c, d) = (other.from.side(ofLineFrom: from, to: to), other.to.side(ofLineFrom: from, to: to))
    return (a < 0 && b > 0 || a > 0 && b < 0) && (c < 0 && d > 0 || c > 0 && d < 0)
  }

  var bounds: PlanBounds {
    PlanBounds(
      least: PlanPoint(x: min(from.x, to.x), y: min(from.y, to.y)), most: PlanPoint(x: max(from.x, to.x), y: max(from.y, to.y)))
  }
}
