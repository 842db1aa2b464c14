import Venues

/// The convex outline of points: the area of a level, and the footprint of a venue.
struct PlanOutline {
  /// The distance in metres by which it exceeds the points.
  private static let margin = 0.5

  let polygon: PlanPolygon

  /// Creates the outline by Andrew's monotone chain. Points in a line, or none, have a rectangle around them.
  init(_ points: [PlanPoint]) {
    let hull = Self.hull(points)
    if let polygon = PlanPolygon(ring: hull), polygon.area > 1 {
      self.polygon = polygon
      return
    }
    let bounds = PlanBounds(of: points) ?? PlanBounds(least: PlanPoint(x: 0, y: 0), most: PlanPoint(x: 0, y: 0))
    let least = PlanPoint(x: bounds.least.x - Self.margin, y: bounds.least.y - Self.margin)
    let most = PlanPoint(x: bounds.most.x + Self.margin, y: bounds.most.y + Self.margin)
    // The margin gives the rectangle an area.
    guard let polygon = PlanPolygon(from: least, to: most) else { preconditionFailure("a rectangle with a margin has no area") }
    self.polygon = polygon
  }

  /// Returns all points of a venue on a level.
  static func points(of venue: Venue, onLevel id: String) -> [PlanPoint] {
    var points: [PlanPoint] = []
    for level in venue.levels where level.id == id { points += (level.walkable + level.voids).flatMap(\.ring) }
    for wall in venue.walls where wall.level == id { points += [wall.from, wall.to] }
    points += venue.beacons.filter { $0.level == id }.map(\.position)
    for place in venue.places where place.level == id { points += [place.position] + (place.area?.ring ?? []) }
    points += venue.nodes.filter { $0.level == id }.map(\.position)
    return points
  }

  private static func hull(_ points: [PlanPoint]) -> [PlanPoint] {
    let sorted = Set(points).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    guard sorted.count > 2 else { return sorted }
    func half(_ points: some Sequence<PlanPoint>) -> [PlanPoint] {
      var chain: [PlanPoint] = []
      for point in points {
        while chain.count > 1, turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 { chain.removeLast() }
        chain.append(point)
      }
      return chain.dropLast()
    }
    return half(sorted) + half(sorted.reversed())
  }

  /// Returns a positive value for a turn to the left.
  private static func turn(_ a: PlanPoint, _ b: PlanPoint, _ c: PlanPoint) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Returns the ring in the direction that GeoJSON asks for.
  ///
  /// - Parameter isLeft: whether it runs counterclockwise.
  static func turned(_ ring: [PlanPoint], isLeft: Bool) -> [PlanPoint] {
    var doubled = 0.0
    for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      doubled += (start.x - ring[0].x) * (end.y - ring[0].y) - (end.x - ring[0].x) * (start.y - ring[0].y)
    }
    // The first point stays the first.
    return (doubled > 0) == isLeft ? ring : Array(ring.prefix(1) + ring.dropFirst().reversed())
  }
}
