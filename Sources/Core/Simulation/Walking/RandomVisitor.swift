import Instants
import Venues

/// A visitor who walks to random places in the walkable areas, and stays a while at each.
///
/// The first waypoint of the visitor's path is the start.
public struct RandomVisitor: Hashable, Sendable {
  /// The index of the visitor.
  public var visitor: Int
  /// The ids of the levels to walk to, at least one, beginning with that of the start.
  public var levels: [String]
  /// Metres a second.
  public var speed: Double
  /// The mean stay.
  public var pause: Span
  /// The share of goals on the level where the visitor is, if there are several levels.
  public var stayShare: Double

  public static let defaultPause = Span.seconds(10)
  public static let defaultStayShare = 0.7

  public init(
    visitor: Int, levels: [String], speed: Double = WayFinder.usualSpeed, pause: Span = defaultPause, stayShare: Double = defaultStayShare
  ) {
    self.visitor = visitor
    self.levels = levels
    self.speed = speed
    self.pause = pause
    self.stayShare = stayShare
  }
}

extension Scenario {
  /// Returns the scenario with the paths of the random visitors, which depend on the seed alone.
  func walked(seed: UInt64) -> Scenario {
    guard !randomVisitors.isEmpty else { return self }
    var scenario = self
    scenario.randomVisitors = []
    let finder = WayFinder(venue, walls: walls)
    for randomVisitor in randomVisitors {
      scenario.visitors[randomVisitor.visitor] = path(of: randomVisitor, finder, RandomStream(seed: seed, .walking, randomVisitor.visitor))
    }
    return scenario
  }

  private func path(of randomVisitor: RandomVisitor, _ finder: WayFinder, _ random: RandomStream) -> VisitorPath {
    var random = random
    let start = visitors[randomVisitor.visitor].waypoints[0]
    var walk = WalkBuilder(
      finder, self, at: WayFinder.Stop(point: start.place, level: randomVisitor.levels[0]), from: start.at, speed: randomVisitor.speed)
    while walk.time < duration {
      let before = walk.time
      // A place without a way to it is replaced by another one.
      for _ in 0..<Self.mostGoals {
        if let goal = goal(of: randomVisitor, on: walk.place.level, finder, &random), walk.walk(to: goal) { break }
      }
      let stay = min(random.exponential(mean: randomVisitor.pause.seconds), 4 * randomVisitor.pause.seconds)
      walk.wait(max(.seconds(stay), walk.time == before ? .seconds(1) : .zero))
    }
    return VisitorPath(walk.waypoints)
  }

  private static let mostGoals = 20
  private static let mostPoints = 200

  /// Returns a random place in the walkable areas; nil if none is found.
  private func goal(of randomVisitor: RandomVisitor, on level: String, _ finder: WayFinder, _ random: inout RandomStream) -> WayFinder.Stop?
  {
    let others = randomVisitor.levels.filter { $0 != level }
    let leaves = !others.isEmpty && !random.happens(randomVisitor.stayShare)
    let id = leaves ? others[Int(random.uniform() * Double(others.count))] : level
    guard let bounds = venue?.level(id)?.bounds ?? venue?.bounds(ofLevel: id) else { return nil }
    for _ in 0..<Self.mostPoints {
      let point = PlanPoint(
        x: bounds.least.x + random.uniform() * bounds.width, y: bounds.least.y + random.uniform() * bounds.height)
      let stop = WayFinder.Stop(point: point, level: id)
      if finder.isWalkable(stop) { return stop }
    }
    return nil
  }
}
