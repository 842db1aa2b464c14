/// A point on a floor plan: metres on the plan of a venue, pixels on a picture.
///
/// A venue has one plan for all levels, with y up. A picture has y down; `PlanTransform.YAxis` states the direction.
public struct PlanPoint: Hashable, Sendable {
  /// The coordinate to the right.
  public var x: Double
  /// The coordinate up on the plan of a venue, and down on a picture.
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Returns the distance in the unit of the plan.
  public func distance(to other: PlanPoint) -> Double {
    let (dx, dy) = (other.x - x, other.y - y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Returns the point at `share` of the way from here to `other`.
  public func towards(_ other: PlanPoint, _ share: Double) -> PlanPoint {
    PlanPoint(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
  }

  public var isFinite: Bool { x.isFinite && y.isFinite }

  /// Returns a positive value if the point lies on the left of the line from `a` to `b`, and a negative one on its right.
  func side(ofLineFrom a: PlanPoint, to b: PlanPoint) -> Double {
    (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
  }
}
