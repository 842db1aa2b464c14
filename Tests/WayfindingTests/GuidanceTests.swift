import Instants
import Testing
import Venues

@testable import Wayfinding

/// Guidance along a route.
@Suite struct GuidanceTests {
  @Test func `a position that is older or has no valid accuracy is ignored, and an invalid heading counts as unknown`() throws {
    let venue = Venue(
      id: "v", nodes: [RouteNode(id: "a", position: PlanPoint(x: 0, y: 0)), RouteNode(id: "b", position: PlanPoint(x: 0, y: 40))],
      edges: [RouteEdge(from: "a", to: "b")])
    let network = WayNetwork(venue)
    var guide = RouteGuide(try network.route(from: Scene.at(0, 0), to: Route.Destination(Scene.at(0, 40))), in: network)
    func state(_ seconds: Int64, _ y: Double, _ accuracy: Double) -> GuidanceOutput.State {
      guide.update(
        GuidedPosition(Scene.at(0, y), accuracy: accuracy, heading: .nan, time: Instant(microseconds: seconds * 1_000_000))
      ).state
    }
    #expect(state(10, 0, 1) == .underWay)
    #expect(state(9, 1, 1) == .lost && state(11, 1, -1) == .lost && state(11, 1, .nan) == .lost)
    #expect(state(12, 1, 1) == .underWay)
  }

  @Test func `a visitor without another route stays lost until back on the route`() throws {
    let venue = Venue(
      id: "v", levels: [VenueLevel(walkable: [Scene.rectangle(-2, -2, 4, 44)])],
      nodes: [RouteNode(id: "a", position: PlanPoint(x: 0, y: 0)), RouteNode(id: "b", position: PlanPoint(x: 0, y: 40))],
      edges: [RouteEdge(from: "a", to: "b")])
    let network = WayNetwork(venue)
    var guide = RouteGuide(try network.route(from: Scene.at(0, 0), to: Route.Destination(Scene.at(0, 40))), in: network)
    var states: [GuidanceOutput.State] = []
    for second in 0..<20 {
      let x = (3..<15).contains(second) ? 25.0 : 0
      let time = Instant(microseconds: Int64(second) * 1_000_000)
      states.append(guide.update(GuidedPosition(Scene.at(x, Double(second)), accuracy: 1, time: time)).state)
    }
    let lost = try #require(states.firstIndex(of: .lost))
    #expect(lost < 10 && states[lost..<15].allSatisfy { $0 == .lost } && states[15...].allSatisfy { $0 == .underWay }, "\(states)")
  }
}
