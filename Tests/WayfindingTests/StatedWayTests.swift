import Instants
import RouteReports
import Testing
import Venues

@testable import Wayfinding

/// Routes over the floor of levels whose ways the venue states: doors, steps and gates on them.
@Suite struct StatedWayTests {
  /// A corridor in the south and a room in the north, with one door between them, in which the corridor's ways end.
  private static func room() -> Venue {
    func wall(_ from: Double, _ to: Double) -> VenueWall {
      VenueWall(from: PlanPoint(x: from, y: 10), to: PlanPoint(x: to, y: 10), attenuation: 4)
    }
    return Venue(
      id: "v", levels: [VenueLevel(walkable: [Scene.rectangle(0, 0, 40, 20)])], walls: [wall(0, 14), wall(16, 40)],
      places: [Place(id: "library", position: PlanPoint(x: 15, y: 18))],
      nodes: [
        RouteNode(id: "west", position: PlanPoint(x: 2, y: 4)), RouteNode(id: "door", position: PlanPoint(x: 15, y: 10), isDoor: true),
        RouteNode(id: "east", position: PlanPoint(x: 38, y: 4)),
      ], edges: [RouteEdge(from: "west", to: "door"), RouteEdge(from: "door", to: "east")])
  }

  private static func texts(_ route: Route, _ network: WayNetwork, language: String = "en") -> [String] {
    RouteText(network, languages: [language]).sentences(route.manoeuvres(in: network), to: route.destination.index)
  }

  @Test func `a door at the end of the stated ways is named, whether the route ends or begins in the room behind it`() throws {
    let network = WayNetwork(Self.room())
    let into = try #require(try network.route(from: Scene.at(2, 4), toPlace: "library"))
    #expect(into.vertices.map(\.node) == ["west", "door", nil] && into.vertices.map(\.isDoor) == [false, true, false])
    #expect(Self.texts(into, network).contains { $0.hasPrefix("Turn left at the door") }, "\(Self.texts(into, network))")
    let out = try network.route(from: Scene.at(15, 18), to: Route.Destination(Scene.at(38, 4)))
    #expect(out.vertices.map(\.node) == [nil, "door", "east"] && out.vertices[1].isDoor)
    #expect(Self.texts(out, network).contains { $0.contains("at the door") }, "\(Self.texts(out, network))")
  }
}
