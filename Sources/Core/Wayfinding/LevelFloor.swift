import RealModule
import Venues

/// The floor of a level: the points where visitors can be, and the straight lines that they can walk.
struct LevelFloor: Sendable {
  let level: VenueLevel
  let walls: [VenueWall]
  private let bounds: [PlanBounds]
  /// The areas and voids as edges, with the extent of each.
  private let outlines: [(bounds: PlanBounds, edges: [PlanSegment])]

  /// The length in metres below which a piece of a line is an error of computation.
  private static let least = 1e-6
  /// Half the width in metres of the gaps between areas that are ignored, because drawings leave them by rounding.
  private static let tolerance = 0.025
  /// The distance in metres from the edge at which a point counts as on the floor.
  private static let inset = 0.1

  init(_ level: VenueLevel, walls: [VenueWall]) {
    self.level = level
    self.walls = walls
    bounds = walls.map { wall in
      PlanBounds(
        least: PlanPoint(x: min(wall.from.x, wall.to.x), y: min(wall.from.y, wall.to.y)),
        most: PlanPoint(x: max(wall.from.x, wall.to.x), y: max(wall.from.y, wall.to.y)))
    }
    outlines = (level.walkable + level.voids).map { ($0.bounds, $0.segments) }
  }

  /// The approximate steps to find out whether a point is on the floor.
  var pointCost: Int { outlines.count + (outlines.map(\.edges.count).max() ?? 0) }

  /// The approximate steps to find out whether a line is clear.
  var lineCost: Int { outlines.reduce(walls.count) { $0 + $1.edges.count } + 4 * pointCost }

  /// Whether neither areas nor walls are known, so that straight ways cannot be checked.
  var isUnknown: Bool { level.walkable.isEmpty && walls.isEmpty }

  /// Returns whether a visitor can be at a point, which is anywhere on a level without walkable areas.
  func isWalkable(_ point: PlanPoint) -> Bool {
    guard !level.walkable.isEmpty else { return true }
    if level.isWalkable(point) == true { return true }
    return level.walkable.contains { $0.isNear(point, within: Self.tolerance) }
      && level.voids.allSatisfy { !$0.contains(point) || $0.distanceToEdge(from: point) <= Self.tolerance }
  }

  /// Returns whether a visitor can walk straight from one point to another.
  func isClear(from a: PlanPoint, to b: PlanPoint) -> Bool {
    isFree(from: a, to: b) && (level.walkable.isEmpty || isWalkable(a) && isWalkable(b) && pieces(from: a, to: b).allSatisfy(\.self))
  }

  /// Returns whether a visitor sees a thing, which may stand beside the floor or hang on a wall.
  func isSeen(_ thing: PlanPoint, from point: PlanPoint) -> Bool {
    let distance = point.distance(to: thing)
    guard distance > Self.inset else { return true }
    guard isFree(from: point, to: point.towards(thing, 1 - Self.inset / distance)) else { return false }
    guard !level.walkable.isEmpty else { return true }
    // Only the last part may lack a floor: the thing stands there.
    let pieces = pieces(from: point, to: thing)
    return pieces.prefix { $0 }.count + pieces.reversed().prefix { !$0 }.count == pieces.count
  }

  /// Returns whether no wall stands between two points.
  private func isFree(from a: PlanPoint, to b: PlanPoint) -> Bool {
    let box = Self.box(a, b)
    return !zip(walls, bounds).contains { wall, extent in extent.intersects(box) && wall.stands(between: a, and: b) }
  }

  private static func box(_ a: PlanPoint, _ b: PlanPoint) -> PlanBounds {
    PlanBounds(least: PlanPoint(x: min(a.x, b.x), y: min(a.y, b.y)), most: PlanPoint(x: max(a.x, b.x), y: max(a.y, b.y)))
  }

  /// Returns for each piece of a line between the edges of areas and voids whether it is floor.
  ///
  /// No edge crosses a piece, so its middle decides.
  private func pieces(from a: PlanPoint, to b: PlanPoint) -> [Bool] {
    let (line, box) = (PlanSegment(from: a, to: b), Self.box(a, b))
    var cuts = [0, 1.0]
    for outline in outlines where outline.bounds.intersects(box) {
      cuts += outline.edges.compactMap { line.intersection(with: $0).map(line.share(nearestTo:)) }
    }
    cuts.sort()
    let least = Self.least / max(line.length, Self.least)
    return zip(cuts, cuts.dropFirst()).filter { $1 - $0 > least }.map { isWalkable(a.towards(b, ($0 + $1) / 2)) }
  }

  /// Returns the nearest point of the floor: the point itself if a visitor can be there.
  func nearestWalkable(to point: PlanPoint) -> PlanPoint? {
    if isWalkable(point) { return point }
    var best: PlanPoint?
    for segment in (level.walkable + level.voids).flatMap(\.segments) {
      let edge = segment.nearest(to: point)
      let direction = point.direction(to: edge)
      // Across the edge. At a corner, the floor may be along the edge instead.
      for way in [direction, segment.from.direction(to: segment.to) + 90, segment.from.direction(to: segment.to) - 90] {
        let candidate = edge.moved(Self.inset, direction: way)
        guard isWalkable(candidate) else { continue }
        if let known = best, known.distance(to: point) <= candidate.distance(to: point) { continue }
        best = candidate
      }
    }
    return best
  }
}
