import Venues
import Wayfinding

/// Measures the search for routes in a building of three levels with 10,124 edges, some of them closed and some one-way.
struct RoutePass {
  private static let (columns, rows, levels) = (48, 36, 3)
  /// The ends of the routes: across the building, on one level, and between levels.
  private static let ends = [
    (place(1, 2, 0), place(370, 270, 2)), (place(100, 100, 0), place(130, 40, 0)), (place(370, 5, 2), place(3, 250, 0)),
    (place(180, 130, 1), place(200, 260, 2)), (place(10, 10, 0), place(375, 278, 0)),
  ]

  /// Returns one object of JSON about the slowest search of each kind, in its fastest pass.
  func run(_ passes: Int) -> String {
    let network = WayNetwork(Self.building())
    let found = Self.slowest(passes, in: network, .shortest)
    let accessible = Self.slowest(passes, in: WayNetwork(Self.building(isAccessible: true)), .accessible)
    // Levels without a way between them.
    let refused = Self.slowest(passes, in: WayNetwork(Self.building(hasStairs: false)), .shortest, isRefused: true)
    return "{\"peer\":\"beaconmon-routes\",\"edges\":\(network.venue.edges.count),\"us\":\(found),\"accessibleUs\":\(accessible)"
      + ",\"refusedUs\":\(refused)}"
  }

  /// Returns the microseconds of the slowest search.
  ///
  /// - Parameter isRefused: whether only the ends on two levels are searched, between which no way leads. The search then finds the reason.
  private static func slowest(
    _ passes: Int, in network: WayNetwork, _ profile: RouteProfile, isRefused: Bool = false
  ) -> String {
    var slowest = 0.0
    for (start, end) in ends where !isRefused || start.level != end.level {
      var best = Double.infinity
      for _ in 0..<passes {
        let begin = processorSeconds()
        let route = try? network.route(from: start, accuracy: 2, to: Route.Destination(end), profile: profile)
        best = min(best, processorSeconds() - begin)
        guard isRefused == (route == nil) else { fail(isRefused ? "a route was found" : "a route was not found", code: 70) }
      }
      slowest = max(slowest, best)
    }
    return rounded(slowest * 1e6, 1)
  }

  private static func place(_ x: Double, _ y: Double, _ level: Int) -> VenuePoint { VenuePoint(PlanPoint(x: x, y: y), level: level) }

  private static func building(isAccessible: Bool = false, hasStairs: Bool = true) -> Venue {
    let access: WheelchairAccess = isAccessible ? .yes : .unknown
    let floor = PlanPolygon(from: PlanPoint(x: -2, y: -2), to: PlanPoint(x: 8 * Double(columns), y: 8 * Double(rows)))
    var venue = Venue(
      id: "large",
      levels: (0..<levels).map { VenueLevel(id: "l\($0)", ordinal: $0, walkable: [floor].compactMap(\.self), wheelchair: access) })
    func id(_ level: Int, _ column: Int, _ row: Int) -> String { "\(level)/\(column)/\(row)" }
    for level in 0..<levels {
      for column in 0..<columns {
        for row in 0..<rows {
          // The corridors are not quite straight, so that routes differ in length.
          let position = PlanPoint(
            x: Double(column) * 8 + Double((column * 7 + row * 13) % 5) * 0.3,
            y: Double(row) * 8 + Double((column * 11 + row * 3) % 7) * 0.3)
          venue.nodes.append(RouteNode(id: id(level, column, row), level: "l\(level)", position: position))
          let number = venue.nodes.count
          if column > 0 {
            venue.edges.append(RouteEdge(from: id(level, column - 1, row), to: id(level, column, row), isTwoWay: number % 9 > 0))
          }
          if row > 0 {
            venue.edges.append(RouteEdge(from: id(level, column, row - 1), to: id(level, column, row), isClosed: number % 31 == 0))
          }
        }
      }
    }
    guard hasStairs else { return venue }
    for level in 1..<levels {
      for stair in 0..<4 {
        // A ramp in place of stairs.
        venue.edges.append(
          RouteEdge(
            from: id(level - 1, 10 * stair + 3, 8 * stair), to: id(level, 10 * stair + 4, 8 * stair), kind: isAccessible ? .ramp : .stairs,
            wheelchair: access, slope: isAccessible ? 0.05 : nil))
      }
    }
    return venue
  }
}
