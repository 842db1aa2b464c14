import RealModule
import Venues

/// The points and ways of a building as a walker finds them, by its venue and not by the network of the guide.
struct BuildingWays {
  let positions: [PlanPoint]
  /// The indices of the levels of the points.
  let levels: [Int]
  /// The points to which ways on foot lead from each point.
  private(set) var ways: [[Int]]
  /// The points in front of a lift.
  private(set) var lifts: Set<Int> = []
  private let indices: [String: Int]

  init(_ venue: Venue) {
    let ordinals = Dictionary(venue.levels.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    positions = venue.nodes.map(\.position)
    levels = venue.nodes.map { ordinals[$0.level] ?? 0 }
    indices = Dictionary(venue.nodes.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    ways = venue.nodes.map { _ in [] }
    for edge in venue.edges {
      guard let from = indices[edge.from], let to = indices[edge.to] else { continue }
      ways[from].append(to)
      if edge.isTwoWay { ways[to].append(from) }
    }
    for stop in venue.lifts.flatMap(\.stops) { if let point = indices[stop] { lifts.insert(point) } }
  }

  /// Returns the point of a node.
  func point(_ node: String) -> Int { indices[node] ?? 0 }

  /// Returns the ways from a point on its level, with their directions.
  func waysOnLevel(from point: Int) -> [(to: Int, direction: Double)] {
    ways[point].filter { levels[$0] == levels[point] }.map { ($0, positions[point].direction(to: positions[$0])) }
  }

  /// Returns the point at the top or the foot of stairs that lead towards a level; nil without such stairs.
  func stairs(from point: Int, towards level: Int) -> Int? {
    ways[point].first { levels[$0] != levels[point] && (levels[$0] > levels[point]) == (level > levels[point]) }
  }

  /// Returns the point in front of a lift on another level.
  func lift(from point: Int, to level: Int) -> Int {
    positions.indices.first { levels[$0] == level && positions[$0] == positions[point] } ?? point
  }
}

extension PlanPoint {
  /// Returns the direction to another point in degrees clockwise from the y axis, -180...180.
  func direction(to other: PlanPoint) -> Double { Double.atan2(y: other.x - x, x: other.y - y) * 180 / .pi }
}

/// Returns the smaller angle from one direction to another in degrees: positive to the right, -180...180.
func angle(from: Double, to: Double) -> Double { (to - from).remainder(dividingBy: 360) }
