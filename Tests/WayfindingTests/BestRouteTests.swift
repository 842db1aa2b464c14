import Instants
import RouteReports
import Seeds
import Testing
import Venues

@testable import Wayfinding

/// Routes, compared with all paths.
@Suite struct BestRouteTests {
  /// The hazards and seconds of a route, in this order.
  private typealias Cost = (hazards: Int, seconds: Double)

  /// The ways of a venue as the file states them: each edge, and each pair of stops of a lift.
  private static func ways(_ venue: Venue, _ profile: RouteProfile) -> [String: [(to: String, cost: Cost)]] {
    let nodes = Dictionary(uniqueKeysWithValues: venue.nodes.map { ($0.id, $0) })
    let levels = Dictionary(uniqueKeysWithValues: venue.levels.map { ($0.id, $0) })
    var ways: [String: [(to: String, cost: Cost)]] = [:]
    for edge in venue.edges where !edge.isClosed {
      guard let from = nodes[edge.from], let to = nodes[edge.to], let a = levels[from.level], let b = levels[to.level] else { continue }
      let rise = Double(b.ordinal - a.ordinal) * 4
      let flat = from.position.distance(to: to.position)
      let metres = edge.length.map { max(flat, $0) } ?? (flat * flat + rise * rise).squareRoot()
      let inherits = edge.wheelchair == .unknown && a.id == b.id && [.walk, .gate, .ramp, .movingWalkway].contains(edge.kind)
      let isAccessible = edge.wheelchair == .yes || inherits && a.wheelchair == .yes
      if profile.isAccessible, !isAccessible { continue }
      let seconds: Double
      if let time = edge.time {
        seconds = time.seconds
      } else {
        switch edge.kind {
        case .walk, .ramp, .movingWalkway: seconds = metres / profile.speed
        case .gate: seconds = metres / profile.speed + 5
        case .stairs: seconds = 3 * metres / profile.speed
        case .escalator: seconds = metres / 0.45
        }
      }
      var hazards = 0
      switch edge.kind {
      case .stairs, .escalator: hazards = 2
      case .movingWalkway: hazards = 1
      case .ramp: hazards = (edge.slope ?? 1) > 0.083 ? 1 : 0
      case .walk, .gate: hazards = (edge.slope ?? 0) > 0.083 ? 1 : 0
      }
      if let width = edge.width, width < 0.9 { hazards += 1 }
      let cost: Cost = (profile.isAccessible ? hazards : 0, seconds)
      ways[edge.from, default: []].append((edge.to, cost))
      if edge.isTwoWay { ways[edge.to, default: []].append((edge.from, cost)) }
    }
    for lift in venue.lifts where !lift.isClosed && (!profile.isAccessible || lift.wheelchair == .yes) {
      for from in lift.stops {
        for to in lift.stops where to != from {
          let rise = abs((levels[nodes[to]?.level ?? ""]?.ordinal ?? 0) - (levels[nodes[from]?.level ?? ""]?.ordinal ?? 0))
          ways[from, default: []].append((to, (0, lift.boardTime.seconds + lift.levelTime.seconds * Double(rise))))
        }
      }
    }
    return ways
  }

  /// Returns the least cost by following every path that visits no node twice and is not worse than the best one.
  private static func bruteForce(_ ways: [String: [(to: String, cost: Cost)]], from: String, to: String) -> Cost? {
    var best: Cost?
    var visited: Set<String> = []
    func visit(_ node: String, _ cost: Cost) {
      if let best, best.hazards < cost.hazards || best.hazards == cost.hazards && best.seconds <= cost.seconds { return }
      if node == to { return best = cost }
      visited.insert(node)
      for way in ways[node] ?? [] where !visited.contains(way.to) {
        visit(way.to, (cost.hazards + way.cost.hazards, cost.seconds + way.cost.seconds))
      }
      visited.remove(node)
    }
    visit(from, (0, 0))
    return best
  }

  @Test(arguments: [RouteProfile.shortest, .accessible]) func `routes in 500 venues are the best of all paths`(profile: RouteProfile) throws
  {
    var (found, refused) = (0, 0)
    for seed in UInt64(1)...500 {
      var random = SeededGenerator(seed: seed)
      var venue = Scene.random(&random)
      let ends = venue.nodes.shuffled(using: &random)
      let (from, to) = (ends[0], ends[1])
      let start = try #require(venue.levels.firstIndex { $0.id == from.level })
      venue.places = [Place(id: "goal", level: to.level, position: PlanPoint(x: -5, y: 0))]
      if let index = venue.nodes.firstIndex(where: { $0.id == to.id }) { venue.nodes[index].place = "goal" }
      let expected = Self.bruteForce(Self.ways(venue, profile), from: from.id, to: to.id)
      let network = WayNetwork(venue)
      do throws(RouteError) {
        let route = try network.route(from: VenuePoint(from.position, level: start), toPlace: "goal", profile: profile)
        guard let cost = expected else {
          Issue.record("seed \(seed): a route where there is none")
          continue
        }
        let (hazards, seconds) = (route?.hazards ?? -1, route?.time.seconds ?? -1)
        #expect(!profile.isAccessible || hazards == cost.hazards, "seed \(seed)")
        #expect(abs(seconds - cost.seconds) < 1e-3, "seed \(seed)")
        found += 1
      } catch {
        #expect(expected == nil, "seed \(seed): \(error)")
        refused += 1
      }
    }
    #expect(found + refused == 500 && found > (profile.isAccessible ? 80 : 300) && refused > 5, "\(found) found, \(refused) refused")
  }
}
