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

  /// An open hall with a way from west to east: floor, 10 m of something else, a door, and floor.
  private static func hall(_ kind: RouteEdge.Kind, length: Double = 10, time: Span? = .seconds(300)) -> Venue {
    let positions = [("a", 2.0), ("b", 15), ("c", 15 + length), ("d", 38)]
    return Venue(
      id: "hall", levels: [VenueLevel(walkable: [Scene.rectangle(0, 0, 40, 20)], wheelchair: .yes)],
      places: [Place(id: "z", position: PlanPoint(x: 38, y: 10), title: ["en": "Zoo"])],
      nodes: positions.map { RouteNode(id: $0.0, position: PlanPoint(x: $0.1, y: 10), isDoor: $0.0 == "c") },
      edges: [
        RouteEdge(from: "a", to: "b"), RouteEdge(from: "b", to: "c", kind: kind, wheelchair: kind == .stairs ? .no : .unknown, time: time),
        RouteEdge(from: "c", to: "d"),
      ])
  }

  @Test func `a straight line over steps or through a gate takes them`() throws {
    for kind in [RouteEdge.Kind.stairs, .gate, .ramp, .movingWalkway, .escalator] {
      let network = WayNetwork(Self.hall(kind))
      for start in [Scene.at(2, 10), Scene.at(3, 10.8), Scene.at(2, 5)] {
        let end = Route.Destination(Scene.at(38, start.point.y == 5 ? 15 : 10))
        let route = try network.route(from: start, to: end)
        #expect(route.legs.contains { $0.mode == Route.Mode(kind) } && route.time > .seconds(300), "\(kind): \(route.legs)")
        #expect(route.vertices.contains { $0.node == "c" && $0.isDoor })
        #expect(kind != .stairs || !route.isAccessible)
      }
    }
    #expect(throws: RouteError.notAccessible) {
      try WayNetwork(Self.hall(.stairs)).route(from: Scene.at(2, 10), toPlace: "z", profile: .accessible)
    }
  }

  @Test func `a short gate bars the line along it, and floor beside it stays free`() throws {
    let network = WayNetwork(Self.hall(.gate, length: 0.8))
    #expect(try network.route(from: Scene.at(3, 10.5), to: Route.Destination(Scene.at(38, 10.5))).time > .seconds(300))
    #expect(try network.route(from: Scene.at(3, 5), to: Route.Destination(Scene.at(38, 5))).time < .seconds(60))
  }

  @Test func `a straight line names the door of a node on its way, and not one beside it`() throws {
    func doors(_ y: Double) throws -> [Route.Vertex] {
      let network = WayNetwork(Self.hall(.walk, time: nil))
      return try network.route(from: Scene.at(4, y), to: Route.Destination(Scene.at(36, y))).vertices.filter(\.isDoor)
    }
    #expect(try doors(10.2).map(\.node) == ["c"])
    #expect(try doors(12).isEmpty)
    // The line in a corridor passes a door in its wall.
    var venue = Self.hall(.walk, time: nil)
    venue.edges = [RouteEdge(from: "a", to: "d"), RouteEdge(from: "c", to: "b")]
    venue.nodes[1].position = PlanPoint(x: 25, y: 18)
    let route = try WayNetwork(venue).route(from: Scene.at(4, 10.2), to: Route.Destination(Scene.at(36, 10.2)))
    #expect(route.vertices.allSatisfy { !$0.isDoor })
  }

  @Test func `gates, ramps and moving walkways on a level are announced`() throws {
    func texts(_ kind: RouteEdge.Kind, _ language: String = "en") throws -> [String] {
      var venue = Self.hall(kind)
      venue.nodes[2].isDoor = false
      let network = WayNetwork(venue)
      return Self.texts(try #require(try network.route(from: Scene.at(2, 10), toPlace: "z")), network, language: language)
    }
    #expect(try texts(.gate) == ["Move forward 15 metres.", "Go through the gate.", "Move forward 15 metres.", "Zoo is ahead of you."])
    #expect(try texts(.ramp)[1] == "Take the ramp." && texts(.movingWalkway)[1] == "Take the moving walkway.")
    #expect(try texts(.gate, "de")[1] == "Gehen Sie durch die Sperre.")
    let network = WayNetwork(Self.hall(.gate))
    let route = try #require(try network.route(from: Scene.at(2, 10), toPlace: "z"))
    #expect(Self.texts(route, network)[1...2] == ["Go through the gate.", "Go through the door, then move forward 15 metres."])
  }

  @Test func `the text for a start beside the floor states how far from it the route begins`() throws {
    let venue = Venue(
      id: "v", levels: [VenueLevel(walkable: [Scene.rectangle(0, 0, 40, 20)], voids: [Scene.rectangle(10, 5, 10, 8)])],
      places: [Place(id: "z", position: PlanPoint(x: 38, y: 10))])
    let network = WayNetwork(venue)
    func report(_ x: Double, _ language: String = "en") throws -> RouteReport {
      try #require(try network.route(from: Scene.at(x, 9), toPlace: "z")).report(in: network, languages: [language])
    }
    let moved = try report(14)
    #expect(moved.startShift.map { abs($0 - 4.1) < 0.01 } == true, "\(moved)")
    #expect(moved.note == "The start is 4 metres from the floor, so the route begins at the nearest point of the floor.")
    #expect(try report(14, "de").note?.contains("4 Meter") == true)
    #expect(try report(4).startShift == nil && report(4).note == nil)
  }
}
