import Geodesy
import Instants
import Seeds
import Venues

@testable import Wayfinding

/// Venues that several suites use.
enum Scene {
  static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanPolygon {
    guard let area = PlanPolygon(from: PlanPoint(x: x, y: y), to: PlanPoint(x: x + width, y: y + height)) else {
      preconditionFailure("no area")
    }
    return area
  }

  static func at(_ x: Double, _ y: Double, level: Int = 0) -> VenuePoint { VenuePoint(PlanPoint(x: x, y: y), level: level) }

  /// Returns a random venue of three levels with one-way and closed edges, stairs, ramps and lifts.
  static func random(_ random: inout SeededGenerator, nodes count: Int = 4) -> Venue {
    let levels = (0..<3).map { VenueLevel(id: "l\($0)", ordinal: $0, wheelchair: Bool.random(using: &random) ? .yes : .unknown) }
    var nodes: [RouteNode] = []
    for level in levels {
      for number in 0..<count {
        nodes.append(
          RouteNode(
            id: "\(level.id)-\(number)", level: level.id,
            position: PlanPoint(x: Double.random(in: 0...40, using: &random), y: Double.random(in: 0...40, using: &random))))
      }
    }
    var edges: [RouteEdge] = []
    func pick<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: 0..<elements.count, using: &random)] }
    for _ in 0..<count * 5 {
      let (from, to) = (pick(nodes), pick(nodes))
      guard from.id != to.id else { continue }
      let isFlat = from.level == to.level
      edges.append(
        RouteEdge(
          from: from.id, to: to.id,
          kind: isFlat ? pick([.walk, .walk, .gate, .movingWalkway, .ramp]) : pick([.stairs, .ramp, .escalator]),
          isTwoWay: Bool.random(using: &random), wheelchair: pick(WheelchairAccess.allCases),
          length: pick([nil, nil, 60]), time: pick([nil, nil, .seconds(15)]), slope: pick([nil, 0.05, 0.1]), width: pick([nil, 0.8, 1.5]),
          isClosed: Int.random(in: 0..<6, using: &random) == 0))
    }
    let lifts = (0..<2).map { number in
      RouteLift(
        id: "lift-\(number)", stops: levels.map { "\($0.id)-\(number)" }, boardTime: .seconds(Double.random(in: 5...90, using: &random)),
        levelTime: .seconds(Double.random(in: 2...20, using: &random)), wheelchair: pick(WheelchairAccess.allCases),
        isClosed: Int.random(in: 0..<4, using: &random) == 0)
    }
    return Venue(id: "random", levels: levels, nodes: nodes, edges: edges, lifts: lifts)
  }
}
