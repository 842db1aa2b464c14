import Venues

// The parts of a venue between which no way leads.

extension WayNetwork {
  /// Returns the reason why a search finds no route by any way.
  ///
  /// On one level, it names the nodes of both parts between which a way is probably missing.
  ///
  /// - Complexity: linear in the number of links.
  func separation(_ search: RouteSearch, from startLevel: Int, to endLevel: Int) -> RouteError {
    let id = venue.levels[endLevel].id
    guard startLevel == endLevel else { return .island(from: venue.levels[startLevel].id, to: id) }
    let (starts, ends) = (nodes(joinedTo: search.entries, level: startLevel), nodes(joinedTo: search.exits, level: endLevel))
    guard let first = nearest(ends, to: search.start.point), let from = nearest(starts, to: first.position),
      let to = nearest(ends, to: from.position)
    else { return .separateParts(level: id) }
    return .separateNodes(from: from.id, to: to.id, level: id)
  }

  /// Returns the nodes of a level that any way joins to some points.
  private func nodes(joinedTo accesses: [Access], level: Int) -> [RouteNode] {
    var isReached = [Bool](repeating: false, count: points.count)
    var (open, found): ([Int], [RouteNode]) = (accesses.map(\.point), [])
    while let point = open.popLast() {
      guard !isReached[point] else { continue }
      isReached[point] = true
      if let node = points[point].node, points[point].level == level { found.append(venue.nodes[node]) }
      open += links[point].map(\.to)
    }
    return found
  }

  private func nearest(_ nodes: [RouteNode], to position: PlanPoint) -> RouteNode? {
    nodes.min { $0.position.distance(to: position) < $1.position.distance(to: position) }
  }
}
