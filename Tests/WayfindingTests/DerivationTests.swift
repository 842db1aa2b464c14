import Instants
import RealModule
import Testing
import Venues

@testable import Wayfinding

/// Ways that are derived from walkable areas, walls and doors.
@Suite struct DerivationTests {
  private static func venue(_ areas: [PlanPolygon], voids: [PlanPolygon] = [], walls: [VenueWall] = []) -> Venue {
    Venue(id: "v", levels: [VenueLevel(walkable: areas, voids: voids)], walls: walls)
  }

  private static func length(_ venue: Venue, _ from: (Double, Double), _ to: (Double, Double)) throws -> Double {
    try WayNetwork(venue).route(from: Scene.at(from.0, from.1), to: Route.Destination(Scene.at(to.0, to.1))).length
  }

  @Test func `a way in an empty hall is straight`() throws {
    #expect(abs(try Self.length(Self.venue([Scene.rectangle(0, 0, 30, 20)]), (1, 1), (29, 19)) - 33.3) < 0.05)
  }

  @Test func `a way bends around a void and a concave corner`() throws {
    let hall = Self.venue([Scene.rectangle(0, 0, 30, 20)], voids: [Scene.rectangle(10, 5, 10, 10)])
    let around = try Self.length(hall, (5, 10), (25, 10))
    // The shortest way touches the corners; ways keep 0.4 m from them.
    let shortest = 2 * (5.0 * 5 + 5 * 5).squareRoot() + 10
    #expect(around >= shortest && around < shortest + 1.2, "\(around)")
    let angle = Self.venue([Scene.rectangle(0, 0, 20, 5), Scene.rectangle(0, 5, 5, 15)])
    let bent = try Self.length(angle, (19, 4), (4, 19))
    let tight = 2 * (14.0 * 14 + 1).squareRoot()
    #expect(bent >= tight && bent < tight + 1.2, "\(bent)")
  }

  @Test func `a way leads through the door in a wall, and names it`() throws {
    let walls = [
      VenueWall(from: PlanPoint(x: 0, y: 10), to: PlanPoint(x: 14, y: 10), attenuation: 4),
      VenueWall(from: PlanPoint(x: 16, y: 10), to: PlanPoint(x: 30, y: 10), attenuation: 4),
    ]
    let network = WayNetwork(Self.venue([Scene.rectangle(0, 0, 30, 20)], walls: walls))
    #expect(network.derivedLevels == [0])
    let route = try network.route(from: Scene.at(5, 3), to: Route.Destination(Scene.at(5, 17)))
    #expect(route.vertices.contains { $0.isDoor && $0.place.point == PlanPoint(x: 15, y: 10) }, "\(route)")
    #expect(route.length < 25.5)
    let closed = WayNetwork(
      Self.venue(
        [Scene.rectangle(0, 0, 30, 20)], walls: [VenueWall(from: PlanPoint(x: 0, y: 10), to: PlanPoint(x: 30, y: 10), attenuation: 4)]))
    #expect(throws: RouteError.separateParts(level: "ground")) {
      try closed.route(from: Scene.at(5, 3), to: Route.Destination(Scene.at(5, 17)))
    }
  }

  @Test func `a straight way through a gap names the door, and so does a line of sight beside stated ways`() throws {
    let walls = [
      VenueWall(from: PlanPoint(x: 0, y: 10), to: PlanPoint(x: 14, y: 10), attenuation: 4),
      VenueWall(from: PlanPoint(x: 16, y: 10), to: PlanPoint(x: 30, y: 10), attenuation: 4),
    ]
    var venue = Self.venue([Scene.rectangle(0, 0, 30, 20)], walls: walls)
    for isStated in [false, true] {
      if isStated {
        venue.nodes = [RouteNode(id: "a", position: PlanPoint(x: 2, y: 2)), RouteNode(id: "b", position: PlanPoint(x: 12, y: 2))]
        venue.edges = [RouteEdge(from: "a", to: "b")]
      }
      let network = WayNetwork(venue)
      let route = try network.route(from: Scene.at(15, 2), to: Route.Destination(Scene.at(15.5, 18)))
      #expect(route.manoeuvres(in: network).map(\.kind) == [.start(nil), .door, .arrive(nil)])
      let door = try #require(route.vertices.first { $0.isDoor }?.place.point)
      #expect(door.distance(to: PlanPoint(x: 15.25, y: 10)) < 1e-9 && abs(route.length - 16.0078) < 1e-3)
      #expect(route.legs.count == 2 && abs(route.time.seconds - route.length / RouteProfile.shortest.speed) < 1e-5)
    }
  }

  @Test func `rooms are joined at their common borders, and a short one is a door`() throws {
    let areas = [Scene.rectangle(0, 0, 30, 3), Scene.rectangle(10, 3, 1.2, 0.4), Scene.rectangle(5, 3.4, 10, 8)]
    let network = WayNetwork(Self.venue(areas))
    let route = try network.route(from: Scene.at(1, 1), to: Route.Destination(Scene.at(6, 10)))
    #expect(route.vertices.contains { $0.isDoor })
    let doors = route.manoeuvres(in: network).count { if case .door = $0.kind { true } else { $0.isAtDoor } }
    #expect(doors == 1, "\(route.manoeuvres(in: network).map(\.kind))")
    #expect(route.length < 19, "\(route.length)")
  }

  @Test func `stairs join the derived ways of two levels`() throws {
    var venue = Venue(
      id: "v",
      levels: [
        VenueLevel(id: "ground", walkable: [Scene.rectangle(0, 0, 30, 20)], wheelchair: .yes),
        VenueLevel(id: "first", ordinal: 1, walkable: [Scene.rectangle(0, 0, 30, 20)], wheelchair: .yes),
      ],
      nodes: [
        RouteNode(id: "s0", level: "ground", position: PlanPoint(x: 28, y: 2)),
        RouteNode(id: "s1", level: "first", position: PlanPoint(x: 28, y: 2)),
      ], edges: [RouteEdge(from: "s0", to: "s1", kind: .stairs)])
    let destination = Route.Destination(Scene.at(2, 2, level: 1))
    let route = try WayNetwork(venue).route(from: Scene.at(2, 2), to: destination)
    #expect(route.legs.map(\.mode) == [.walk, .stairs, .walk] && abs(route.length - 56) < 1e-9)
    #expect(throws: RouteError.notAccessible) {
      try WayNetwork(venue).route(from: Scene.at(2, 2), to: destination, profile: .accessible)
    }
    venue.edges[0] = RouteEdge(from: "s0", to: "s1", kind: .ramp, wheelchair: .yes, length: 60)
    #expect(try WayNetwork(venue).route(from: Scene.at(2, 2), to: destination, profile: .accessible).isAccessible)
  }

  @Test func `a level that is too complex is refused by name`() throws {
    let voids = (0..<20).flatMap { x in (0..<20).map { y in Scene.rectangle(Double(x) * 5 + 1, Double(y) * 5 + 1, 1, 1) } }
    let network = WayNetwork(Self.venue([Scene.rectangle(0, 0, 100, 100)], voids: voids))
    #expect(network.complexLevels == [0])
    #expect(throws: RouteError.tooComplex(level: "ground")) {
      try network.route(from: Scene.at(0.5, 0.5), to: Route.Destination(Scene.at(99.5, 99.5)))
    }
  }

  @Test func `a level with too many walls or edges is too complex`() throws {
    let walls = (0...800).map {
      VenueWall(from: PlanPoint(x: Double($0), y: 0), to: PlanPoint(x: Double($0), y: 1), attenuation: 4)
    }
    #expect(WayNetwork(Self.venue([Scene.rectangle(0, 0, 900, 10)], walls: walls)).complexLevels == [0])
    let star = (0..<5000).map { number in
      let (angle, radius) = (Double(number) * 2 * .pi / 5000, number.isMultiple(of: 2) ? 100.0 : 90)
      return PlanPoint(x: radius * Double.cos(angle), y: radius * Double.sin(angle))
    }
    let area = try #require(PlanPolygon(ring: star))
    #expect(WayNetwork(Self.venue([area])).complexLevels == [0])
  }

  @Test func `a start behind a wall or in a void counts from the nearest floor`() throws {
    let hall = Self.venue([Scene.rectangle(0, 0, 30, 20)], voids: [Scene.rectangle(10, 5, 10, 10)])
    let route = try WayNetwork(hall).route(from: Scene.at(10.5, 10), accuracy: 2, to: Route.Destination(Scene.at(2, 10)))
    #expect(abs((route.startAccuracy ?? 0) - (4 + 0.36).squareRoot()) < 0.01, "\(route)")
  }

  @Test func `a straight way passes no gap that is thinner than a step`() throws {
    let halves = [Scene.rectangle(0, 0, 10, 10), Scene.rectangle(10.1, 0, 10, 10)]
    #expect(throws: RouteError.separateParts(level: "ground")) { try Self.length(Self.venue(halves), (3, 5), (17, 5)) }
    let hall = Self.venue([Scene.rectangle(0, 0, 20, 10)], voids: [Scene.rectangle(10, 0, 0.1, 9)])
    #expect(try Self.length(hall, (3, 5), (17, 5)) > 15)
    let drawn = [Scene.rectangle(0, 0, 10, 10), Scene.rectangle(10.04, 0, 10, 10)]
    #expect(abs(try Self.length(Self.venue(drawn), (3, 5), (17, 5)) - 14) < 1e-9)
  }

  @Test func `only an inaccurate start counts from the other side of a wall`() throws {
    var venue = Self.venue(
      [Scene.rectangle(0, 0, 30, 20)], walls: [VenueWall(from: PlanPoint(x: 0, y: 10), to: PlanPoint(x: 30, y: 10), attenuation: 4)])
    venue.nodes = [RouteNode(id: "a", position: PlanPoint(x: 0, y: 9)), RouteNode(id: "b", position: PlanPoint(x: 30, y: 9))]
    venue.edges = [RouteEdge(from: "a", to: "b")]
    let network = WayNetwork(venue)
    let (near, beyond) = (Scene.at(5, 5), Scene.at(20, 12))
    #expect(try network.route(from: beyond, accuracy: 2, to: Route.Destination(near)).length > 15)
    #expect(throws: RouteError.separateParts(level: "ground")) {
      try network.route(from: beyond, accuracy: 0.5, to: Route.Destination(near))
    }
    #expect(throws: RouteError.separateParts(level: "ground")) {
      try network.route(from: near, accuracy: 2, to: Route.Destination(beyond))
    }
  }
}
