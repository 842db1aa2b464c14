// Steps and gates that visitors can pass on the floor beside them.

extension Venue {
  /// The distance in metres from the middle of steps or a gate at which the floor lies beside them.
  private static let beside = 2.0
  /// The distance in metres between points at which the floor is checked.
  private static let spacing = 0.5

  /// The indices of edges for stairs, escalators and gates on one level that visitors can avoid.
  ///
  /// Walkable floor lies beside their whole length, and no wall between. A straight line over this floor avoids them.
  public var openBarriers: [Int] {
    let nodes = Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
    let levels = Dictionary(levels.map { ($0.id, $0) }) { first, _ in first }
    return edges.indices.filter { index in
      let edge = edges[index]
      guard [.stairs, .escalator, .gate].contains(edge.kind), let from = nodes[edge.from], let to = nodes[edge.to], from.level == to.level,
        let level = levels[from.level]
      else { return false }
      return [Self.beside, -Self.beside].contains { isOpen(from.position, to.position, aside: $0, level) }
    }
  }

  /// Returns whether visitors can walk from one point to another on the floor at some metres to the side.
  private func isOpen(_ from: PlanPoint, _ to: PlanPoint, aside: Double, _ level: VenueLevel) -> Bool {
    let length = from.distance(to: to)
    guard length > 0 else { return false }
    let (x, y) = (aside * (to.y - from.y) / length, aside * (from.x - to.x) / length)
    let corners = [from, PlanPoint(x: from.x + x, y: from.y + y), PlanPoint(x: to.x + x, y: to.y + y), to]
    let walls = walls.filter { $0.level == level.id }
    return zip(corners, corners.dropFirst()).allSatisfy { a, b in
      let count = Int(min(1000, max(1, a.distance(to: b) / Self.spacing)))
      guard !walls.contains(where: { $0.stands(between: a, and: b) }) else { return false }
      return (0..<count).allSatisfy { level.isWalkable(a.towards(b, (Double($0) + 0.5) / Double(count))) == true }
    }
  }
}
