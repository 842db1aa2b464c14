import HeapModule
import Instants
import Venues

/// Finds the ways of simulated visitors through a building.
///
/// A way is straight where nothing stands in between. Otherwise it follows the route graph of the venue, which also has the stairs and
/// lifts.
public struct WayFinder: Sendable {
  /// A place on a level.
  public struct Stop: Hashable, Sendable {
    public var point: PlanPoint
    /// The id of the level.
    public var level: String

    public init(point: PlanPoint, level: String) {
      self.point = point
      self.level = level
    }
  }

  /// A part of a way that ends at a stop.
  struct Leg: Hashable, Sendable {
    var to: Stop
    /// The wait before it, for a lift.
    var wait = Span.zero
    /// The time that it takes; nil for a walk, whose time depends on the speed.
    var time: Span?
  }

  /// The usual time on stairs from one level to the next.
  public static let stairsTime = Span.seconds(12)
  /// The usual walking speed in metres a second.
  public static let usualSpeed = 1.2
  /// The distance in metres between the points of a straight way that are checked.
  private static let step = 0.25

  private struct Link {
    var to: Int
    var leg: Leg
    var metres = 0.0
  }

  private struct Candidate: Comparable {
    var seconds: Double
    var node: Int

    static func < (a: Candidate, b: Candidate) -> Bool { (a.seconds, a.node) < (b.seconds, b.node) }
  }

  private let levels: [String: VenueLevel]
  private let walls: [String: [VenueWall]]
  private let nodes: [Stop]
  private let links: [[Link]]

  /// - Parameters:
  ///   - venue: nil for a level without walkable areas and routes.
  ///   - walls: those of the scenario.
  public init(_ venue: Venue?, walls: [VenueWall]) {
    levels = Dictionary((venue?.levels ?? []).map { ($0.id, $0) }) { first, _ in first }
    self.walls = Dictionary(grouping: walls, by: \.level)
    let nodes = (venue?.nodes ?? []).map { Stop(point: $0.position, level: $0.level) }
    self.nodes = nodes
    links = Self.links(venue, nodes, levels)
  }

  private static func links(_ venue: Venue?, _ nodes: [Stop], _ levels: [String: VenueLevel]) -> [[Link]] {
    var links = [[Link]](repeating: [], count: nodes.count)
    guard let venue else { return links }
    let indices = Dictionary(venue.nodes.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    func rise(_ from: Int, _ to: Int) -> Int { abs((levels[nodes[to].level]?.ordinal ?? 0) - (levels[nodes[from].level]?.ordinal ?? 0)) }
    for edge in venue.edges {
      guard let from = indices[edge.from], let to = indices[edge.to] else { continue }
      let metres = edge.length ?? nodes[from].point.distance(to: nodes[to].point)
      // A ramp between levels that states nothing is as slow as stairs.
      let time = edge.time ?? (rise(from, to) > 0 ? stairsTime * Double(rise(from, to)) : nil)
      links[from].append(Link(to: to, leg: Leg(to: nodes[to], time: time), metres: metres))
      if edge.isTwoWay { links[to].append(Link(to: from, leg: Leg(to: nodes[from], time: time), metres: metres)) }
    }
    for lift in venue.lifts {
      let stops = lift.stops.compactMap { indices[$0] }
      for from in stops {
        for to in stops where to != from {
          let leg = Leg(to: nodes[to], wait: lift.boardTime, time: lift.levelTime * Double(max(1, rise(from, to))))
          links[from].append(Link(to: to, leg: leg))
        }
      }
    }
    return links
  }

  /// Returns whether a visitor can be at a place. Everywhere counts on a level without walkable areas.
  public func isWalkable(_ stop: Stop) -> Bool { levels[stop.level]?.isWalkable(stop.point) ?? true }

  /// Returns whether nothing stands between two points of a level.
  func isClear(from a: PlanPoint, to b: PlanPoint, level: String) -> Bool {
    guard !(walls[level] ?? []).contains(where: { $0.stands(between: a, and: b) }) else { return false }
    guard let level = levels[level], !level.walkable.isEmpty else { return true }
    let steps = max(1, Int((a.distance(to: b) / Self.step).rounded(.up)))
    return (0...steps).allSatisfy { level.isWalkable(a.towards(b, Double($0) / Double(steps))) == true }
  }

  /// Returns the fastest way; nil if there is none.
  ///
  /// - Parameter speed: metres a second.
  func way(from start: Stop, to goal: Stop, speed: Double) -> [Leg]? {
    if start.level == goal.level, isClear(from: start.point, to: goal.point, level: start.level) { return [Leg(to: goal)] }
    func near(_ stop: Stop) -> [Int] {
      nodes.indices.filter { nodes[$0].level == stop.level && isClear(from: stop.point, to: nodes[$0].point, level: stop.level) }
    }
    let ends = Set(near(goal))
    guard !ends.isEmpty else { return nil }
    // The start has the number of nodes, and the goal the next one.
    let (first, last) = (nodes.count, nodes.count + 1)
    var seconds = [Double](repeating: .infinity, count: nodes.count + 2)
    var reached = [(from: Int, leg: Leg)?](repeating: nil, count: nodes.count + 2)
    var queue = Heap<Candidate>()
    seconds[first] = 0
    queue.insert(Candidate(seconds: 0, node: first))
    while let candidate = queue.popMin(), candidate.node != last {
      let node = candidate.node
      guard candidate.seconds <= seconds[node] else { continue }
      func reach(_ next: Int, _ leg: Leg, _ cost: Double) {
        guard seconds[node] + cost < seconds[next] else { return }
        seconds[next] = seconds[node] + cost
        reached[next] = (node, leg)
        queue.insert(Candidate(seconds: seconds[next], node: next))
      }
      if node == first {
        for next in near(start) { reach(next, Leg(to: nodes[next]), start.point.distance(to: nodes[next].point) / speed) }
        continue
      }
      for link in links[node] {
        reach(link.to, link.leg, link.leg.wait.seconds + (link.leg.time?.seconds ?? link.metres / speed))
      }
      if ends.contains(node) { reach(last, Leg(to: goal), nodes[node].point.distance(to: goal.point) / speed) }
    }
    var legs: [Leg] = []
    var node = last
    while let (from, leg) = reached[node] {
      legs.append(leg)
      node = from
    }
    return node == first && !legs.isEmpty ? legs.reversed() : nil
  }
}

/// A path in the making: a visitor who walks, waits, and takes stairs and lifts.
public struct WalkBuilder {
  public private(set) var waypoints: [VisitorPath.Waypoint] = []
  /// The place at the end.
  public private(set) var place: WayFinder.Stop
  /// The time at the end.
  public private(set) var time: Span
  private let finder: WayFinder
  private let speed: Double
  private let ordinals: [String: Int]

  /// Starts at a place.
  ///
  /// - Parameter speed: metres a second.
  public init(_ finder: WayFinder, _ scenario: Scenario, at place: WayFinder.Stop, from time: Span, speed: Double) {
    self.finder = finder
    self.place = place
    self.time = time
    self.speed = speed
    ordinals = Dictionary((scenario.venue?.levels ?? []).map { ($0.id, $0.ordinal) }) { first, _ in first }
    add(at: time)
  }

  private mutating func add(at time: Span) {
    self.time = time
    waypoints.append(VisitorPath.Waypoint(at: time, place: place.point, level: ordinals[place.level] ?? 0))
  }

  public mutating func wait(_ span: Span) {
    if span > .zero { add(at: time + span) }
  }

  /// Walks to a place; returns false if there is no way.
  public mutating func walk(to goal: WayFinder.Stop) -> Bool {
    if goal == place { return true }
    guard let legs = finder.way(from: place, to: goal, speed: speed) else { return false }
    for leg in legs {
      wait(leg.wait)
      // Each waypoint is later than the one before.
      let walked = Span.seconds(place.point.distance(to: leg.to.point) / speed)
      let arrival = time + max(leg.time ?? walked, Span(microseconds: 1))
      guard leg.to != place else { continue }
      place = leg.to
      add(at: arrival)
    }
    return true
  }
}
