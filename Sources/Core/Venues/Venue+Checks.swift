// Faults of a venue that leave it usable, for warnings.

extension Venue {
  /// A walkable area, by the indices of its level and of the area there.
  public struct WalkableArea: Hashable, Sendable {
    public let level: Int
    public let area: Int
  }

  /// The width of gaps between walkable areas that a drawing leaves by rounding, in metres.
  static let negligibleGap = 0.05
  /// The distance in metres within which a node belongs to a walkable area.
  static let nodeReach = 1.0

  /// The walkable areas in groups that are connected: by a common edge, or by edges and lifts of the route graph.
  ///
  /// The largest group is first. A venue whose areas are all reachable has one group, or none without areas.
  public var connectedAreas: [[WalkableArea]] {
    let areas = levels.indices.flatMap { level in levels[level].walkable.indices.map { WalkableArea(level: level, area: $0) } }
    let nodeIndices = Dictionary(nodes.indices.map { (nodes[$0].id, $0) }) { first, _ in first }
    var groups = DisjointSets(count: areas.count + nodes.count)
    func polygon(_ index: Int) -> PlanPolygon { levels[areas[index].level].walkable[areas[index].area] }
    let byLevel = Dictionary(grouping: areas.indices) { levels[areas[$0].level].id }
    for members in byLevel.values {
      for (position, second) in members.enumerated() {
        for first in members[..<position] where !groups.areTogether(first, second) {
          if polygon(first).touches(polygon(second), gap: Self.negligibleGap) { groups.join(first, second) }
        }
      }
    }
    for (index, node) in nodes.enumerated() {
      for area in byLevel[node.level] ?? [] where polygon(area).isNear(node.position, within: Self.nodeReach) {
        groups.join(areas.count + index, area)
      }
    }
    for edge in edges {
      guard let from = nodeIndices[edge.from], let to = nodeIndices[edge.to] else { continue }
      groups.join(areas.count + from, areas.count + to)
    }
    for lift in lifts {
      let stops = lift.stops.compactMap { nodeIndices[$0] }
      for (from, to) in zip(stops, stops.dropFirst()) { groups.join(areas.count + from, areas.count + to) }
    }
    let members = Dictionary(grouping: areas.indices) { groups.representative(of: $0) }
    return members.values.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }.map { $0.map { areas[$0] } }
  }

  /// The nodes of the route graph in groups between which no way leads, by their indices; the largest group is first.
  ///
  /// On a level without edges of its own, ways are derived from its areas and join its nodes.
  public var connectedNodes: [[Int]] {
    let indices = Dictionary(nodes.indices.map { (nodes[$0].id, $0) }) { first, _ in first }
    var groups = DisjointSets(count: nodes.count)
    var statedLevels: Set<String> = []
    for edge in edges {
      guard let from = indices[edge.from], let to = indices[edge.to] else { continue }
      groups.join(from, to)
      if nodes[from].level == nodes[to].level { statedLevels.insert(nodes[from].level) }
    }
    for lift in lifts {
      let stops = lift.stops.compactMap { indices[$0] }
      for (from, to) in zip(stops, stops.dropFirst()) { groups.join(from, to) }
    }
    for level in levels where !statedLevels.contains(level.id) && !level.walkable.isEmpty {
      let members = nodes.indices.filter { nodes[$0].level == level.id }
      for (from, to) in zip(members, members.dropFirst()) { groups.join(from, to) }
    }
    let members = Dictionary(grouping: nodes.indices) { groups.representative(of: $0) }
    return members.values.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }

  /// An edge whose stated length cannot be right.
  public struct DoubtfulLength: Hashable, Sendable {
    /// The index of the edge.
    public let edge: Int
    public let length: Double
    /// The straight line on the plan in metres.
    public let straight: Double

    /// Whether the length is below the straight line, and not far above it.
    public var isTooShort: Bool { length < straight }
  }

  /// The edges that are shorter than the straight line between their nodes, or more than ten times as long.
  ///
  /// Half a metre and 2 % are allowed for rounding, and 20 m for stairs and ramps that wind.
  public var doubtfulLengths: [DoubtfulLength] {
    let byID = Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
    let ordinals = Dictionary(levels.map { ($0.id, $0.ordinal) }) { first, _ in first }
    return edges.indices.compactMap { index in
      guard let length = edges[index].length, let from = byID[edges[index].from], let to = byID[edges[index].to] else { return nil }
      let straight = from.position.distance(to: to.position)
      let rise = Double((ordinals[to.level] ?? 0) - (ordinals[from.level] ?? 0)) * VenueLevel.storeyHeight
      let most = 10 * (straight * straight + rise * rise).squareRoot() + 20
      guard length < straight * 0.98 - 0.5 || length > most else { return nil }
      return DoubtfulLength(edge: index, length: length, straight: straight)
    }
  }

  /// The pairs of levels with the same ordinal whose walkable areas overlap, by their indices.
  public var overlappingLevels: [(first: Int, second: Int)] {
    var pairs: [(Int, Int)] = []
    for second in levels.indices {
      for first in 0..<second where levels[first].ordinal == levels[second].ordinal {
        let others = levels[second].walkable
        if levels[first].walkable.contains(where: { area in others.contains { $0.overlaps(area) } }) { pairs.append((first, second)) }
      }
    }
    return pairs
  }

  /// Returns the indices of beacons that hang farther than `metres` outside the walkable areas of their level.
  ///
  /// Beacons of a level without known areas are none of them.
  public func beaconsOutside(by metres: Double) -> [Int] {
    let byID = Dictionary(levels.map { ($0.id, $0) }) { first, _ in first }
    return beacons.indices.filter { index in
      guard let areas = byID[beacons[index].level]?.walkable, !areas.isEmpty else { return false }
      return !areas.contains { $0.isNear(beacons[index].position, within: metres) }
    }
  }
}

extension VenueLevel {
  /// Whether voids cover all walkable areas.
  ///
  /// The points of a grid over the bounds are tried, 60 along each side.
  public var isBlocked: Bool {
    guard !voids.isEmpty, let bounds else { return false }
    let steps = 60
    let (width, height) = (bounds.most.x - bounds.least.x, bounds.most.y - bounds.least.y)
    var hasFloor = false
    for row in 0..<steps {
      for column in 0..<steps {
        let (x, y) = ((Double(column) + 0.5) / Double(steps), (Double(row) + 0.5) / Double(steps))
        let point = PlanPoint(x: bounds.least.x + x * width, y: bounds.least.y + y * height)
        guard walkable.contains(where: { $0.contains(point) }) else { continue }
        hasFloor = true
        if !voids.contains(where: { $0.contains(point) }) { return false }
      }
    }
    return hasFloor
  }
}

extension Venue {
  /// The distance in metres within which beacons hang in one spot.
  private static let oneSpot = 0.1
  /// The number of beacons from which one spot for all of them is a mistake.
  private static let fewBeacons = 3

  /// Whether all beacons of the venue hang in one spot, so that no position follows from them.
  public var hasBeaconsInOneSpot: Bool {
    guard beacons.count >= Self.fewBeacons, let first = beacons.first else { return false }
    return beacons.allSatisfy { $0.level == first.level && $0.position.distance(to: first.position) < Self.oneSpot }
  }
}

/// Sets that are joined and never split (Galler and Fischer, Communications of the ACM 7 (1964)), with halved paths.
private struct DisjointSets {
  private var parents: [Int]

  init(count: Int) {
    parents = Array(0..<count)
  }

  mutating func representative(of element: Int) -> Int {
    var element = element
    while parents[element] != element {
      parents[element] = parents[parents[element]]
      element = parents[element]
    }
    return element
  }

  mutating func areTogether(_ a: Int, _ b: Int) -> Bool { representative(of: a) == representative(of: b) }

  mutating func join(_ a: Int, _ b: Int) {
    let (a, b) = (representative(of: a), representative(of: b))
    // The smaller index stays, so that the result does not depend on the order of the joins.
    parents[max(a, b)] = min(a, b)
  }
}
