// Self-crossings of an outline, and overlaps of two areas.

extension PlanPolygon {
  /// The corners where two edges of the same ring begin that touch although they are not neighbours, or that double back.
  public struct Crossing: Hashable, Sendable {
    public let first: PlanPoint
    public let second: PlanPoint
  }

  /// Returns an example of two edges of one ring that cross, touch or overlap; nil if every ring is simple.
  ///
  /// Compares the edges whose extents in x overlap, in the order of x: about n log n steps for usual outlines, n² for edges that all
  /// span the outline.
  public var selfCrossing: Crossing? {
    for ring in [ring] + holes {
      if let crossing = Self.crossing(in: ring) { return crossing }
    }
    return nil
  }

  private static func crossing(in ring: [PlanPoint]) -> Crossing? {
    let count = ring.count
    let edges = Self.edges(of: ring).map { PlanSegment(from: $0.0, to: $0.1) }
    let order = edges.indices.sorted { (edges[$0].bounds.least.x, $0) < (edges[$1].bounds.least.x, $1) }
    var active: [Int] = []
    for edge in order {
      let segment = edges[edge]
      let bounds = segment.bounds
      active.removeAll { edges[$0].bounds.most.x < bounds.least.x }
      for other in active where edges[other].bounds.intersects(bounds) {
        let (first, second) = (min(edge, other), max(edge, other))
        let isNeighbour = second == first + 1 || first == 0 && second == count - 1
        let isBad =
          isNeighbour
          ? (second == first + 1 ? doublesBack(edges[first], edges[second]) : doublesBack(edges[second], edges[first]))
          : edges[first].touches(edges[second])
        if isBad { return Crossing(first: ring[first], second: ring[second]) }
      }
      if segment.from == segment.to { return Crossing(first: segment.from, second: segment.to) }
      active.append(edge)
    }
    return nil
  }

  /// Returns whether the second segment, which begins at the end of the first, runs back along it.
  private static func doublesBack(_ first: PlanSegment, _ second: PlanSegment) -> Bool {
    guard second.to.side(ofLineFrom: first.from, to: first.to) == 0 else { return false }
    let (ax, ay) = (first.to.x - first.from.x, first.to.y - first.from.y)
    let (bx, by) = (second.to.x - second.from.x, second.to.y - second.from.y)
    return ax * bx + ay * by < 0
  }

  /// Returns whether the polygons share an area. A common edge or corner alone is not an area.
  ///
  /// The outlines decide, without holes.
  public func overlaps(_ other: PlanPolygon) -> Bool {
    guard bounds.intersects(other.bounds) else { return false }
    let others = Self.edges(of: other.ring).map { PlanSegment(from: $0.0, to: $0.1) }
    for (start, end) in Self.edges(of: ring) {
      let edge = PlanSegment(from: start, to: end)
      let extent = edge.bounds
      for candidate in others where candidate.bounds.intersects(extent) && candidate.crosses(edge) { return true }
    }
    // Without crossing edges, one may contain the other, or both may be equal. Middles of edges show it unless they lie on an edge.
    return hasInner(of: other) || other.hasInner(of: self) || Set(ring) == Set(other.ring)
  }

  private func hasInner(of other: PlanPolygon) -> Bool {
    let middles = Self.edges(of: other.ring).map { $0.towards($1, 0.5) }
    return (other.ring + middles).contains { contains($0) && distanceToEdge(from: $0) > 1e-6 }
  }

  /// Returns whether the polygons have a common point.
  ///
  /// - Parameter gap: the width of gaps that count as none, in the unit of the plan.
  public func touches(_ other: PlanPolygon, gap: Double = 0) -> Bool {
    var reach = bounds
    reach.least = PlanPoint(x: reach.least.x - gap, y: reach.least.y - gap)
    reach.most = PlanPoint(x: reach.most.x + gap, y: reach.most.y + gap)
    guard reach.intersects(other.bounds) else { return false }
    if contains(other.ring[0]) || other.contains(ring[0]) { return true }
    let others = Self.edges(of: other.ring).map { PlanSegment(from: $0.0, to: $0.1) }
    for (start, end) in Self.edges(of: ring) {
      let edge = PlanSegment(from: start, to: end)
      for candidate in others {
        if edge.touches(candidate) { return true }
        guard gap > 0 else { continue }
        let nearest = min(
          min(edge.distance(to: candidate.from), edge.distance(to: candidate.to)),
          min(candidate.distance(to: edge.from), candidate.distance(to: edge.to)))
        if nearest <= gap { return true }
      }
    }
    return false
  }
}
