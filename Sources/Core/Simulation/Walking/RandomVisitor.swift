import Instants
import Venues

/// A visitor who walks to random places in the walkable areas, and stays a while at each.
///
/// The first waypoint of the visitor's path is the start.
public struct Wanderer: Hashable, Sendable {
  /// The index of the visitor.
  public var visitor: Int
  /// The ids of the levels to walk to, at least one, beginning with that of the start.
  public var levels: [String]
  /// Metres a second.
  public var speed: Double
  /// The mean stay.
  public var pause: Span
  /// The share of goals on the level where the visitor is, if there are several levels.
  public var loyalty: Double

  public static let defaultPause = Span.seconds(10)
  public static let defaultLoyalty = 0.7

  public init(
    visitor: Int, levels: [String], speed: Double = WayFinder.usualSpeed, pause: Span = defaultPause, loyalty: Double = defaultLoyalty
  ) {
    self.visitor = visitor
    self.levels = levels
    self.speed = speed
    self.pause = pause
    self.loyalty = loyalty
  }
}

extension Scenario {
  /// Returns the scenario with the paths of the wanderers, which depend on the seed alone.
  func walked(seed: UInt64) -> Scenario {
    guard !wanderers.isEmpty else { return self }
    var scenario = self
    scenario.wanderers = []
    let finder = WayFinder(venue, walls: walls)
    for wanderer in wanderers {
      scenario.visitors[wanderer.visitor] = path(of: wanderer, finder, RandomStream(seed: seed, .walking, wanderer.visitor))
    }
    return scenario
  }

  private func path(of wanderer: Wanderer, _ finder: WayFinder, _ random: RandomStream) -> VisitorPath {
    var random = random
    let start = visitors[wanderer.visitor].waypoints[0]
    var walk = WalkBuilder(
      finder, self, at: WayFinder.Stop(point: start.place, level: wanderer.levels[0]), from: start.at, speed: wanderer.speed)
    while walk.time < duration {
      let before = walk.time
      // A place without a way to it is replaced by another one.
      for _ in 0..<Self.mostGoals {
        if let goal = goal(of: wanderer, on: walk.place.level, finder, &random), walk.walk(to: goal) { break }
      }
      let stay = min(random.exponential(mean: wanderer.pause.seconds), 4 * wanderer.pause.seconds)
      walk.wait(max(.seconds(stay), walk.time == before ? .seconds(1) : .zero))
    }
    return VisitorPath(walk.waypoints)
  }

  private static let mostGoals = 20
  private static let mostPoints = 200

  /// Returns a random place in the walkable areas; nil if none is found.
  private func goal(of wanderer: Wanderer, on level: String, _ finder: WayFinder, _ random: inout RandomStream) -> WayFinder.Stop? {
    let others = wanderer.levels.filter { $0 != level }
    let leaves = !others.isEmpty && !random.happens(wanderer.loyalty)
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
