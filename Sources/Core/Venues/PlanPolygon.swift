/// An area on a plan: a closed ring of points, without the areas of its holes.
///
/// The rings are not closed by a repeated point, and may run in either direction.
public struct PlanPolygon: Hashable, Sendable {
  /// The points of the outline, at least three.
  public let ring: [PlanPoint]
  /// The outlines of areas that do not belong to the polygon.
  public let holes: [[PlanPoint]]
  /// The smallest rectangle around the outline.
  public let bounds: PlanBounds

  /// Creates a polygon. A last point that repeats the first one is dropped.
  ///
  /// Nil if a ring has fewer than three points or a point is not finite.
  public init?(ring: [PlanPoint], holes: [[PlanPoint]] = []) {
    let ring = Self.open(ring)
    let holes = holes.map(Self.open)
    guard ring.count >= 3, holes.allSatisfy({ $0.count >= 3 }), holes.allSatisfy({ $0.allSatisfy(\.isFinite) }),
      ring.allSatisfy(\.isFinite), let bounds = PlanBounds(of: ring)
    else { return nil }
    self.ring = ring
    self.holes = holes
    self.bounds = bounds
  }

  /// Creates a rectangle from two opposite corners; nil if it has no area.
  public init?(from a: PlanPoint, to b: PlanPoint) {
    guard a.x != b.x, a.y != b.y else { return nil }
    self.init(ring: [a, PlanPoint(x: b.x, y: a.y), b, PlanPoint(x: a.x, y: b.y)])
  }

  private static func open(_ ring: [PlanPoint]) -> [PlanPoint] {
    ring.count > 1 && ring.first == ring.last ? Array(ring.dropLast()) : ring
  }

  /// The outline and the outlines of the holes.
  public var rings: [[PlanPoint]] { [ring] + holes }

  /// Returns whether the point lies inside. A point on an edge may count as inside or outside.
  ///
  /// Counts the edges right of the point (Shimrat, Algorithm 112, Communications of the ACM 5 (1962)), of the outline and of the holes.
  public func contains(_ point: PlanPoint) -> Bool {
    guard bounds.contains(point) else { return false }
    var isInside = Self.isInside(point, ring)
    for hole in holes where Self.isInside(point, hole) { isInside.toggle() }
    return isInside
  }

  private static func isInside(_ point: PlanPoint, _ ring: [PlanPoint]) -> Bool {
    var isInside = false
    var previous = ring[ring.count - 1]
    for corner in ring {
      if (corner.y > point.y) != (previous.y > point.y) {
        let share = (point.y - corner.y) / (previous.y - corner.y)
        if point.x < corner.x + share * (previous.x - corner.x) { isInside.toggle() }
      }
      previous = corner
    }
    return isInside
  }

  /// Returns the distance to the nearest edge in the unit of the plan, inside and outside.
  public func distanceToEdge(from point: PlanPoint) -> Double {
    var least = Double.infinity
    for ring in rings {
      for (start, end) in Self.edges(of: ring) { least = min(least, PlanSegment(from: start, to: end).distance(to: point)) }
    }
    return least
  }

  /// Returns whether the point lies inside, or at most `distance` outside.
  public func isNear(_ point: PlanPoint, within distance: Double) -> Bool {
    guard point.x >= bounds.least.x - distance, point.x <= bounds.most.x + distance, point.y >= bounds.least.y - distance,
      point.y <= bounds.most.y + distance
    else { return false }
    return contains(point) || distanceToEdge(from: point) <= distance
  }

  /// The area in square units of the plan, without the holes.
  public var area: Double {
    abs(Self.signedArea(ring)) - holes.reduce(0) { $0 + abs(Self.signedArea($1)) }
  }

  /// The area of the ring: positive if it runs counterclockwise with y up.
  private static func signedArea(_ ring: [PlanPoint]) -> Double {
    // Relative to a corner, so that a plan far from its origin keeps its precision.
    let origin = ring[0]
    var sum = 0.0
    for (start, end) in edges(of: ring) {
      sum += (start.x - origin.x) * (end.y - origin.y) - (end.x - origin.x) * (start.y - origin.y)
    }
    return sum / 2
  }

  /// The centre of gravity of the outline, or the centre of its bounds if it has no area.
  ///
  /// It may lie outside a concave outline.
  public var center: PlanPoint {
    let area = Self.signedArea(ring)
    guard area != 0 else { return bounds.center }
    let origin = ring[0]
    var (x, y) = (0.0, 0.0)
    for (start, end) in Self.edges(of: ring) {
      let (a, b) = ((start.x - origin.x, start.y - origin.y), (end.x - origin.x, end.y - origin.y))
      let cross = a.0 * b.1 - b.0 * a.1
      x += (a.0 + b.0) * cross
      y += (a.1 + b.1) * cross
    }
    return PlanPoint(x: origin.x + x / (6 * area), y: origin.y + y / (6 * area))
  }

  static func edges(of ring: [PlanPoint]) -> some Sequence<(PlanPoint, PlanPoint)> {
    zip(ring, ring.dropFirst() + ring.prefix(1))
  }
}

/// A rectangle along the axes of a plan.
public struct PlanBounds: Hashable, Sendable {
  public var least: PlanPoint
  public var most: PlanPoint

  public init(least: PlanPoint, most: PlanPoint) {
    self.least = least
    self.most = most
  }

  /// Creates the smallest rectangle around the points; nil without points.
  public init?(of points: some Sequence<PlanPoint>) {
    var bounds: PlanBounds?
    for point in points {
      bounds?.include(point)
      if bounds == nil { bounds = PlanBounds(least: point, most: point) }
    }
    guard let bounds else { return nil }
    self = bounds
  }

  public mutating func include(_ point: PlanPoint) {
    least = PlanPoint(x: min(least.x, point.x), y: min(least.y, point.y))
    most = PlanPoint(x: max(most.x, point.x), y: max(most.y, point.y))
  }

  public var width: Double { most.x - least.x }
  public var height: Double { most.y - least.y }
  public var center: PlanPoint { least.towards(most, 0.5) }

  public func contains(_ point: PlanPoint) -> Bool {
    point.x >= least.x && point.x <= most.x && point.y >= least.y && point.y <= most.y
  }

  public func intersects(_ other: PlanBounds) -> Bool {
    least.x <= other.most.x && other.least.x <= most.x && least.y <= other.most.y && other.least.y <= most.y
  }

  /// The corners, counterclockwise with y up.
  public var corners: [PlanPoint] {
    [least, PlanPoint(x: most.x, y: least.y), most, PlanPoint(x: least.x, y: most.y)]
  }
}
