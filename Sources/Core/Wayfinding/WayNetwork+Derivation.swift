import RealModule
import Venues

// Ways on a level that states none: between its doors, corners and nodes, wherever one is in sight of another.

extension WayNetwork {
  /// The maximum number of points of a level whose ways are derived.
  static let mostDerivedPoints = 400
  /// The distance in metres that ways keep from corners.
  private static let clearance = 0.4
  /// The widths in metres of gaps that are doors.
  fileprivate static let doorWidths = 0.6...3.0

  /// A gap in a wall, or the common border of two areas.
  private struct Doorway {
    var line: PlanSegment

    var point: PlanPoint { line.from.towards(line.to, 0.5) }
    var width: Double { line.length }
    /// Whether it is so narrow that visitors see a door.
    var isDoor: Bool { width <= WayNetwork.doorWidths.upperBound }
  }

  /// The steps that are left to a derivation. A level that needs more is too complex.
  private struct Budget {
    private var steps: Double

    init(_ steps: Double) { self.steps = steps }

    var isSpent: Bool { steps < 0 }

    mutating func take(_ count: Int, times: Int = 1) { steps -= Double(count) * Double(times) }

    mutating func spend() { steps = -1 }
  }

  /// Finds the doors of a level whose ways the venue states, for straight lines beside these ways.
  ///
  /// The nodes state the doors of the ways.
  mutating func findDoors(_ level: Int) {
    var budget = Budget(1e7)
    let doors = Self.wallDoors(floors[level], &budget) + Self.portals(floors[level], &budget)
    if !budget.isSpent { setDoors(doors, level) }
  }

  private mutating func setDoors(_ doors: [Doorway], _ level: Int) {
    setDoors(doors.filter(\.isDoor).map(\.line), level: level)
  }

  /// Adds points and ways for a level without ways of its own.
  mutating func deriveWays(_ level: Int) {
    let floor = floors[level]
    guard !floor.isUnknown else { return }
    var budget = Budget(5e8)
    let doors = Self.wallDoors(floor, &budget) + Self.portals(floor, &budget)
    setDoors(doors, level)
    let corners = Self.corners(floor, &budget)
    budget.take(corners.count, times: floor.pointCost + doors.count + Self.mostDerivedPoints)
    budget.take(doors.count, times: floor.pointCost + Self.mostDerivedPoints)
    guard !budget.isSpent else { return markAsComplex(level) }
    var derived: [Point] = []
    func isNew(_ position: PlanPoint) -> Bool {
      !derived.contains { $0.position.distance(to: position) < Self.clearance / 2 }
    }
    for door in doors where derived.count <= Self.mostDerivedPoints && floor.isWalkable(door.point) && isNew(door.point) {
      derived.append(Point(position: door.point, level: level, isDoor: door.isDoor))
    }
    let frames = doors.filter(\.isDoor)
    for corner in corners where derived.count <= Self.mostDerivedPoints && floor.isWalkable(corner) && isNew(corner) {
      // Ways lead through the middle of a door, not around its frame.
      if frames.contains(where: { $0.point.distance(to: corner) < $0.width / 2 + Self.clearance }) { continue }
      derived.append(Point(position: corner, level: level))
    }
    let stated = points.indices.filter { points[$0].level == level && !points[$0].isCabin }
    let count = derived.count + stated.count
    guard count <= Self.mostDerivedPoints else { return markAsComplex(level) }
    budget.take(count * count / 2, times: floor.lineCost)
    guard !budget.isSpent else { return markAsComplex(level) }
    for index in stated where doors.contains(where: { $0.isDoor && $0.point.distance(to: points[index].position) < 1 }) {
      markAsDoor(index)
    }
    let all = stated + derived.map { addPoint($0) }
    var ways: [(Int, Int)] = []
    for (number, second) in all.enumerated() {
      for first in all[..<number] where floor.isClear(from: points[first].position, to: points[second].position) {
        ways.append((first, second))
      }
    }
    addDerivedWays(ways, level: level)
  }

  /// Returns the middles of gaps between the ends of walls in one line.
  private static func wallDoors(_ floor: LevelFloor, _ budget: inout Budget) -> [Doorway] {
    var doors: [Doorway] = []
    let walls = floor.walls.map { PlanSegment(from: $0.from, to: $0.to) }
    guard walls.count <= 2 * mostDerivedPoints else {
      budget.spend()
      return []
    }
    for (number, a) in walls.enumerated() {
      for b in walls[..<number] {
        for (end, other) in [(a.from, a.to), (a.to, a.from)] {
          for (start, far) in [(b.from, b.to), (b.to, b.from)] {
            let gap = end.distance(to: start)
            guard doorWidths.contains(gap), abs(turn(from: other.direction(to: end), to: end.direction(to: start))) < 5,
              abs(turn(from: end.direction(to: start), to: start.direction(to: far))) < 5
            else { continue }
            budget.take(walls.count)
            guard !budget.isSpent else { return [] }
            let middle = end.towards(start, 0.5)
            if !walls.contains(where: { $0.distance(to: middle) < gap / 4 }) {
              doors.append(Doorway(line: PlanSegment(from: end, to: start)))
            }
          }
        }
      }
    }
    return doors
  }

  /// Returns the middles of the common borders of walkable areas; a short border is a door.
  private static func portals(_ floor: LevelFloor, _ budget: inout Budget) -> [Doorway] {
    var portals: [Doorway] = []
    let areas = floor.level.walkable
    guard areas.count <= mostDerivedPoints else {
      budget.spend()
      return []
    }
    let edges = areas.map(\.segments.count)
    for (number, second) in areas.enumerated() {
      for (index, first) in areas[..<number].enumerated() {
        budget.take(edges[index], times: first.bounds.intersects(second.bounds) ? 2 * edges[number] : 1)
        guard !budget.isSpent else { return [] }
        guard first.touches(second, gap: 0.05) else { continue }
        for a in first.segments {
          for b in second.segments {
            guard a.length > 0, let (from, to) = commonPart(a, b) else { continue }
            let width = from.distance(to: to)
            if width >= doorWidths.lowerBound { portals.append(Doorway(line: PlanSegment(from: from, to: to))) }
          }
        }
      }
    }
    budget.take(portals.count, times: floor.walls.count)
    guard !budget.isSpent else { return [] }
    // A wall along a border closes it except for its doors.
    return portals.filter { portal in !floor.walls.contains { PlanSegment(from: $0.from, to: $0.to).distance(to: portal.point) < 0.05 } }
  }

  /// Returns the part of the first segment along which the second one runs.
  private static func commonPart(_ a: PlanSegment, _ b: PlanSegment) -> (PlanPoint, PlanPoint)? {
    let length = a.length
    let (ux, uy) = ((a.to.x - a.from.x) / length, (a.to.y - a.from.y) / length)
    func along(_ p: PlanPoint) -> Double { (p.x - a.from.x) * ux + (p.y - a.from.y) * uy }
    func across(_ p: PlanPoint) -> Double { abs((p.x - a.from.x) * uy - (p.y - a.from.y) * ux) }
    guard across(b.from) < 0.05, across(b.to) < 0.05 else { return nil }
    let (low, high) = (max(0, min(along(b.from), along(b.to))), min(length, max(along(b.from), along(b.to))))
    guard high > low else { return nil }
    return (a.from.towards(a.to, low / length), a.from.towards(a.to, high / length))
  }

  /// Returns points beside the corners around which ways bend.
  private static func corners(_ floor: LevelFloor, _ budget: inout Budget) -> [PlanPoint] {
    let areas = floor.level.walkable + floor.level.voids
    let segments = areas.flatMap(\.segments)
    guard !budget.isSpent, segments.count <= 20 * mostDerivedPoints, floor.walls.count <= 2 * mostDerivedPoints else {
      budget.spend()
      return []
    }
    var corners = segments.map(\.from)
    for (number, a) in floor.level.walkable.enumerated() {
      for b in floor.level.walkable[..<number] where a.bounds.intersects(b.bounds) {
        let others = b.segments
        for s in a.segments {
          budget.take(others.count)
          guard !budget.isSpent else { return [] }
          corners += others.compactMap { s.intersection(with: $0) }
        }
      }
    }
    budget.take(24 * corners.count, times: floor.pointCost)
    guard !budget.isSpent else { return [] }
    return corners.compactMap { bend(at: $0, floor) } + wallBends(floor)
  }

  /// Returns the point beside a corner of the floor, away from the blocked side; nil if ways do not bend there.
  private static func bend(at corner: PlanPoint, _ floor: LevelFloor) -> PlanPoint? {
    let count = 24
    var (x, y, blocked) = (0.0, 0.0, 0)
    for number in 0..<count {
      let angle = (Double(number) + 0.5) * 2 * .pi / Double(count)
      let point = PlanPoint(x: corner.x + 0.2 * Double.sin(angle), y: corner.y + 0.2 * Double.cos(angle))
      guard !floor.isWalkable(point) else { continue }
      (x, y, blocked) = (x + Double.sin(angle), y + Double.cos(angle), blocked + 1)
    }
    let length = (x * x + y * y).squareRoot()
    // A straight edge blocks half of the directions, and a corner at which no route turns blocks more.
    guard blocked > 0, blocked < count / 2 - 1, length > 0 else { return nil }
    return PlanPoint(x: corner.x - clearance * x / length, y: corner.y - clearance * y / length)
  }

  /// Returns points beside the ends and joints of walls.
  private static func wallBends(_ floor: LevelFloor) -> [PlanPoint] {
    let ends = floor.walls.flatMap { [(end: $0.from, other: $0.to), (end: $0.to, other: $0.from)] }
    guard ends.count <= 4 * mostDerivedPoints else { return [] }
    return ends.compactMap { end, _ in
      var (x, y) = (0.0, 0.0)
      for joint in ends where joint.end.distance(to: end) < 0.05 {
        let length = joint.end.distance(to: joint.other)
        guard length > 0 else { continue }
        (x, y) = (x + (joint.other.x - joint.end.x) / length, y + (joint.other.y - joint.end.y) / length)
      }
      let length = (x * x + y * y).squareRoot()
      guard length > 0.1 else { return nil }
      return PlanPoint(x: end.x - clearance * x / length, y: end.y - clearance * y / length)
    }
  }
}
