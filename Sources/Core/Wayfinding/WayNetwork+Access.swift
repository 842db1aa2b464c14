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
    /// The point of the network at the foot; nil for a foot between the ends of its link.
    var footPoint: Int?
    /// The straight part in metres.
    var straight: Double
    /// The rest of the link, from the foot to the point for a start, and in the other direction for a destination.
    var rest: Link?
  }

  /// The point of a link that is nearest to a position.
  ///
  /// Between two feet on the same link, a route may pass no point of the network.
  struct Foot: Sendable {
    var from: Int
    var link: Link
    var position: PlanPoint
    var share: Double
    var distance: Double
  }

  /// The maximum number of points in sight that a point is connected to, and the maximum number that are tried.
  private static let (mostInSight, mostTried) = (32, 256)
  /// The maximum number of links on which a position may lie.
  private static let mostFeet = 16
  /// The distance in metres within which a point is at a point of the network.
  private static let samePlace = 0.01

  /// The links that a search takes.
  struct Permission: Sendable {
    var inaccessible = false
    var closed = false
    var forbidden = false

    func allows(_ link: Link) -> Bool {
      (forbidden || !link.isForbidden) && (closed || !link.isClosed) && (inaccessible || link.isAccessible)
    }
  }

  /// The metres between a straight line and a way along which it runs: half of the widest door.
  private static let besides = 1.5
  /// The metres over which a line must run beside a way, or beside half of a shorter one.
  private static let alongside = 1.0

  /// Returns whether a way may be used in either direction.
  private func allows(_ way: (from: Int, number: Int), _ permission: Permission) -> Bool {
    let link = links[way.from][way.number]
    return permission.allows(link) || back(of: link, from: way.from).map(permission.allows) ?? false
  }

  /// Returns whether a straight line would bypass a way that may not be used, or one that is more than floor, such as steps.
  ///
  /// Such a line crosses the way, or runs along it in a direction that may not be used. It does not cross a way that begins or ends at an
  /// end of the line.
  func isBarred(_ line: PlanSegment, level: Int, _ permission: Permission) -> Bool {
    guard line.length > Self.samePlace, !derivedLevels.contains(level) else { return false }
    let (left, right) = (min(line.from.x, line.to.x) - Self.besides, max(line.from.x, line.to.x) + Self.besides)
    let (low, high) = (min(line.from.y, line.to.y) - Self.besides, max(line.from.y, line.to.y) + Self.besides)
    return (permission.inaccessible ? restrictedLinks : inaccessibleLinks)[level].contains { from, number in
      let (a, b) = (points[from].position, points[links[from][number].to].position)
      guard max(a.x, b.x) >= left, min(a.x, b.x) <= right, max(a.y, b.y) >= low, min(a.y, b.y) <= high else { return false }
      let link = links[from][number]
      let back = back(of: link, from: from)
      let (isForth, isBack) = (permission.allows(link), back.map(permission.allows) ?? false)
      guard !isForth || !isBack || !link.isFloor else { return false }
      let way = PlanSegment(from: a, to: b)
      if !link.isFloor || !isForth && !isBack, let crossing = line.intersection(with: way),
        min(crossing.distance(to: line.from), crossing.distance(to: line.to)) > 0.05
      {
        return true
      }
      let angle = abs(turn(from: way.from.direction(to: way.to), to: line.from.direction(to: line.to)))
      guard way.length > 0, angle < 45 && !(isForth && link.isFloor) || angle > 135 && !(isBack && link.isFloor) else { return false }
      return Self.common(line, way) > min(Self.alongside, way.length / 2)
    }
  }

  /// Returns the metres over which a line runs beside a way.
  private static func common(_ line: PlanSegment, _ way: PlanSegment) -> Double {
    let length = way.length
    let (ux, uy) = ((way.to.x - way.from.x) / length, (way.to.y - way.from.y) / length)
    func along(_ p: PlanPoint) -> Double { (p.x - way.from.x) * ux + (p.y - way.from.y) * uy }
    func across(_ p: PlanPoint) -> Double { (p.x - way.from.x) * uy - (p.y - way.from.y) * ux }
    var (low, high) = (0.0, 1.0)
    // The shares of the line at which a value lies within limits.
    for (a, b, least, most) in [(along(line.from), along(line.to), 0, length), (across(line.from), across(line.to), -besides, besides)] {
      guard abs(b - a) > 1e-9 else {
        if a < least || a > most { return 0 }
        continue
      }
      let shares = [(least - a) / (b - a), (most - a) / (b - a)]
      (low, high) = (max(low, min(shares[0], shares[1])), min(high, max(shares[0], shares[1])))
    }
    return max(0, high - low) * line.length
  }

  /// Returns the ways of a level that may be used, with the point of each that is nearest to a position, the nearest first.
  private func feet(near position: PlanPoint, level: Int, count: Int, _ permission: Permission) -> [Foot] {
    let ways = floorLinks[level].filter { allows($0, permission) }
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

  /// Returns whether a way that may be used leads on from a point, or to it.
  private func isJoined(_ point: Int, isStart: Bool, _ permission: Permission) -> Bool {
    links[point].contains { link in
      isStart ? permission.allows(link) : back(of: link, from: point).map(permission.allows) ?? false
    }
  }

  /// Returns whether a point has a way on the floor of its level.
  private func hasFloorWay(_ point: Int) -> Bool {
    links[point].contains { $0.lift == nil && points[$0.to].level == points[point].level }
  }

  /// Returns the connections of a point of a level, and the links on which it lies.
  ///
  /// On a level with derived ways they are the points in sight. Elsewhere a straight line leads only to the nearest ways that may be used,
  /// and to points such as lifts that no other way of the level reaches.
  ///
  /// - Parameter accuracy: of a start, one sigma in metres.
  func accesses(
    to position: PlanPoint, level: Int, accuracy: Double, isStart: Bool, _ permission: Permission
  ) -> (accesses: [Access], feet: [Foot]) {
    let floor = floors[level]
    let isDerived = derivedLevels.contains(level)
    func isFree(_ point: PlanPoint) -> Bool {
      if !floor.isUnknown, !floor.isClear(from: position, to: point) { return false }
      let line = isStart ? PlanSegment(from: position, to: point) : PlanSegment(from: point, to: position)
      return !isBarred(line, level: level, permission)
    }
    // A derived door needs no further ways: it joins its two sides.
    let all = isDerived ? pointsOfLevel[level] : pointsOfLevel[level].filter { isJoined($0, isStart: isStart, permission) }
    let near = nearest(Self.mostTried, of: all.count) { points[all[$0]].position.distance(to: position) }
      .map { (point: all[$0.number], distance: $0.distance) }
    var accesses: [Access] = []
    var used: [Foot] = []
    let ways = isDerived ? [] : feet(near: position, level: level, count: Self.mostFeet, permission)
    if isDerived {
      for (point, distance) in near where isFree(points[point].position) {
        accesses.append(Access(point: point, straight: distance))
        if accesses.count == Self.mostInSight { break }
      }
    } else if let here = pointsOfLevel[level].first(where: { points[$0].position.distance(to: position) <= Self.samePlace }) {
      // At a point of the network its own ways count, even if they may not be used.
      accesses = near.prefix { $0.distance <= Self.samePlace }.map { Access(point: $0.point, straight: $0.distance) }
      used = ways.filter { $0.distance <= Self.samePlace }
      if hasFloorWay(here) || floor.isUnknown {
        for foot in used { accesses += self.accesses(by: foot, isStart: isStart) }
        return (accesses, used)
      }
    }
    if !isDerived {
      let feet = ways.filter { isFree($0.position) }
      let points = near.prefix(Self.mostInSight).filter { isFree(self.points[$0.point].position) }
      let most = min(feet.first?.distance ?? .infinity, points.first?.distance ?? .infinity) + Self.samePlace
      accesses += points.filter { $0.distance <= most || !floor.isUnknown && !hasFloorWay($0.point) }
        .map { Access(point: $0.point, straight: $0.distance) }
      used = feet.filter { $0.distance <= most }
    }
    // A position with noise may lie behind a wall: then the nearest way within the noise counts.
    if isStart, used.isEmpty, accesses.isEmpty, !floor.isUnknown {
      let reach = 3 * accuracy
      used = Array((isDerived ? feet(near: position, level: level, count: 1, permission) : ways).prefix(1).filter { $0.distance <= reach })
      if used.isEmpty {
        accesses = near.prefix(1).filter { $0.distance <= reach }.map { Access(point: $0.point, straight: $0.distance) }
      }
    }
    for foot in used { accesses += self.accesses(by: foot, isStart: isStart) }
    return (accesses, used)
  }

  /// Returns the point of the network where a foot lies; nil between the ends of its link.
  func point(at foot: Foot) -> Int? {
    [foot.from, foot.link.to].first { points[$0].position.distance(to: foot.position) <= Self.samePlace }
  }

  /// Returns the ways from a foot to the ends of its link, or from there to the foot.
  private func accesses(by foot: Foot, isStart: Bool) -> [Access] {
    let back = back(of: foot.link, from: foot.from)
    func access(_ point: Int, _ link: Link?, _ share: Double) -> Access? {
      guard var rest = link else { return nil }
      rest.length *= share
      rest.fixedTime = rest.fixedTime.map { $0 * share }
      return Access(point: point, foot: foot.position, footPoint: self.point(at: foot), straight: foot.distance, rest: rest)
    }
    return isStart
      ? [access(foot.link.to, foot.link, 1 - foot.share), access(foot.from, back, foot.share)].compactMap(\.self)
      : [access(foot.from, foot.link, foot.share), access(foot.link.to, back, 1 - foot.share)].compactMap(\.self)
  }
}
