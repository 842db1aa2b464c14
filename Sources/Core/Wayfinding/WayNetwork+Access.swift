import HeapModule
import Venues

// Ways from a point of a level to the network: straight lines in sight, and the nearest edge.

extension WayNetwork {
  /// A way from a point to the network, or back.
  struct Access: Sendable {
    /// The point of the network.
    var point: Int
    /// The foot on a link, which leads on to `point`; nil for a straight line to it.
    var foot: PlanPoint?
    /// The straight part in metres.
    var straight: Double
    /// The rest of the link, from the foot to the point for a start, and in the other direction for a destination.
    var rest: Link?
  }

  /// Two feet on the same link, between which a route may run without passing a point of the network.
  struct Foot: Sendable {
    var from: Int
    var link: Link
    var position: PlanPoint
    var share: Double
    var distance: Double
  }

  /// The most points in sight to which a point is connected, and the most that are tried.
  private static let (mostInSight, mostTried) = (32, 256)
  /// The most links on which a position may lie.
  private static let mostFeet = 16
  /// The distance in metres within which a point is at a point of the network.
  private static let samePlace = 0.01

  /// Returns the links of a level with the point of each that is nearest to a position, the nearest first.
  ///
  /// Each two-way link occurs once.
  private func feet(near position: PlanPoint, level: Int, count: Int) -> [Foot] {
    let ways = floorLinks[level]
    let nearest = nearest(count, of: ways.count) { number in
      let (from, link) = ways[number]
      let segment = PlanSegment(from: points[from].position, to: points[links[from][link].to].position)
      return segment.nearest(to: position).distance(to: position)
    }
    return nearest.map { number, distance in
      let (from, link) = (ways[number].from, links[ways[number].from][ways[number].number])
      let segment = PlanSegment(from: points[from].position, to: points[link.to].position)
      let share = segment.share(nearestTo: position)
      return Foot(from: from, link: link, position: segment.from.towards(segment.to, share), share: share, distance: distance)
    }
  }

  private struct Distance: Comparable {
    var metres: Double
    var number: Int

    static func < (a: Distance, b: Distance) -> Bool { a.metres == b.metres ? a.number < b.number : a.metres < b.metres }
  }

  /// Returns the indices with the least distances, in this order, without sorting all of them.
  private func nearest(_ count: Int, of total: Int, distance: (Int) -> Double) -> [(number: Int, distance: Double)] {
    var heap = Heap<Distance>()
    for number in 0..<total {
      let candidate = Distance(metres: distance(number), number: number)
      if heap.count == count, let worst = heap.max {
        guard candidate < worst else { continue }
        heap.removeMax()
      }
      heap.insert(candidate)
    }
    var result: [(number: Int, distance: Double)] = []
    while let next = heap.popMin() { result.append((next.number, next.metres)) }
    return result
  }

  /// Returns the connections of a point of a level, and the links on which it lies.
  func accesses(to position: PlanPoint, level: Int, isStart: Bool) -> (accesses: [Access], feet: [Foot]) {
    let floor = floors[level]
    var accesses: [Access] = []
    let all = pointsOfLevel[level]
    let near = nearest(floor.isUnknown ? Self.mostFeet : Self.mostTried, of: all.count) { points[all[$0]].position.distance(to: position) }
      .map { (point: all[$0.number], distance: $0.distance) }
    if !floor.isUnknown {
      for (point, distance) in near {
        guard floor.isClear(from: position, to: points[point].position) else { continue }
        accesses.append(Access(point: point, straight: distance))
        if accesses.count == Self.mostInSight { break }
      }
    }
    // On a level with derived ways all points in sight are known already.
    let isDerived = derivedLevels.contains(level)
    let ways = isDerived && !accesses.isEmpty ? [] : feet(near: position, level: level, count: Self.mostFeet)
    let chosen: [Foot]
    if floor.isUnknown {
      // Nothing says which straight lines are free: only the nearest ways and points count.
      let most = min(ways.first?.distance ?? .infinity, near.first?.distance ?? .infinity) + Self.samePlace
      accesses = near.prefix { $0.distance <= most }.map { Access(point: $0.point, straight: $0.distance) }
      chosen = ways.filter { $0.distance <= most }
    } else {
      chosen = Array(ways.filter { floor.isClear(from: position, to: $0.position) }.prefix(1))
    }
    var used = chosen
    // A position with noise may lie behind a wall: without anything in sight, the nearest way counts.
    if used.isEmpty, accesses.isEmpty { used = Array(ways.prefix(1)) }
    if used.isEmpty, accesses.isEmpty { accesses = near.prefix(1).map { Access(point: $0.point, straight: $0.distance) } }
    for foot in used { accesses += self.accesses(by: foot, isStart: isStart) }
    return (accesses, used)
  }

  /// Returns the ways from a foot to the ends of its link, or from there to the foot.
  private func accesses(by foot: Foot, isStart: Bool) -> [Access] {
    let back = links[foot.link.to].first { $0.to == foot.from && $0.mode == foot.link.mode && $0.length == foot.link.length }
    func access(_ point: Int, _ link: Link?, _ share: Double) -> Access? {
      guard var rest = link else { return nil }
      rest.length *= share
      rest.fixedTime = rest.fixedTime.map { $0 * share }
      return Access(point: point, foot: foot.position, straight: foot.distance, rest: rest)
    }
    return isStart
      ? [access(foot.link.to, foot.link, 1 - foot.share), access(foot.from, back, foot.share)].compactMap(\.self)
      : [access(foot.from, foot.link, foot.share), access(foot.link.to, back, 1 - foot.share)].compactMap(\.self)
  }
}
