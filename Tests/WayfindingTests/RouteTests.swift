import Glibc
import Instants
import RouteReports
import Seeds
import Testing
import Venues

@testable import Wayfinding

/// Routes on the venue's own graph.
@Suite struct RouteTests {
  @Test func `a route from a place to itself is the arrival alone`() throws {
    let network = WayNetwork(Venue(id: "v", levels: [VenueLevel(walkable: [Scene.rectangle(0, 0, 10, 10)])]))
    let route = try network.route(from: Scene.at(1, 1), to: Route.Destination(Scene.at(1, 1)))
    #expect(route.manoeuvres(in: network).map(\.kind) == [.arrive(nil)])
    #expect(RouteText(network, languages: ["en"]).summary(route) == "less than a metre, less than a minute")
    var guide = RouteGuide(route, in: network)
    #expect(guide.update(GuidedPosition(Scene.at(1, 1), accuracy: 1, time: Instant(microseconds: 0))).state == .arrived)
  }

  /// Two levels, with stairs in the west and a lift in the east, 40 m apart.
  private static func house(lift: WheelchairAccess = .yes, isClosed: Bool = false, floor: WheelchairAccess = .yes) -> Venue {
    Venue(
      id: "house", levels: [VenueLevel(id: "ground", wheelchair: floor), VenueLevel(id: "first", ordinal: 1, wheelchair: floor)],
      places: [
        Place(id: "room", level: "first", position: PlanPoint(x: 10, y: 2)),
        Place(id: "desk", level: "ground", position: PlanPoint(x: 10, y: 2)),
      ],
      nodes: [
        RouteNode(id: "a0", level: "ground", position: PlanPoint(x: 0, y: 0)),
        RouteNode(id: "b0", level: "ground", position: PlanPoint(x: 40, y: 0)),
        RouteNode(id: "a1", level: "first", position: PlanPoint(x: 0, y: 0)),
        RouteNode(id: "b1", level: "first", position: PlanPoint(x: 40, y: 0)),
      ],
      edges: [
        RouteEdge(from: "a0", to: "b0"), RouteEdge(from: "a1", to: "b1"), RouteEdge(from: "a0", to: "a1", kind: .stairs, steps: 24),
      ],
      lifts: [
        RouteLift(id: "lift", stops: ["b0", "b1"], boardTime: .seconds(20), levelTime: .seconds(6), wheelchair: lift, isClosed: isClosed)
      ])
  }

  private static func route(_ venue: Venue, _ profile: RouteProfile = .shortest, to place: String = "room") throws(RouteError) -> Route? {
    try WayNetwork(venue).route(from: Scene.at(4, 1), accuracy: 2, toPlace: place, profile: profile)
  }

  @Test func `a route has its length, time and levels`() throws {
    let route = try #require(try Self.route(Self.house()))
    #expect(route.legs.map(\.mode) == [.walk, .walk, .stairs, .walk, .walk])
    // 1 m to the edge, 4 m to the stairs, 4 m up, 10 m on, and 2 m aside.
    #expect(abs(route.length - 21) < 1e-9)
    #expect(abs(route.time.seconds - (17 + 3 * 4) / 1.33) < 1e-3)
    #expect(route.vertices.map(\.place.level) == [0, 0, 0, 1, 1, 1] && route.startAccuracy == 2)
    #expect(!route.isAccessible)
  }

  @Test func `the accessible profile takes the lift, however far it is`() throws {
    let route = try #require(try Self.route(Self.house(), .accessible))
    #expect(route.legs.map(\.mode) == [.walk, .walk, .lift, .walk, .walk] && route.isAccessible)
    #expect(route.legs[2].time == .seconds(26) && route.legs[2].length == 0)
  }

  @Test func `safest comes before shortest in the accessible profile`() throws {
    var venue = Self.house()
    // A ramp of unknown slope next to the stairs, although a wheelchair may take it.
    venue.edges.append(RouteEdge(from: "a0", to: "a1", kind: .ramp, wheelchair: .yes))
    #expect(try #require(try Self.route(venue, .accessible)).legs.contains { $0.mode == .lift })
    venue.edges[3].slope = 0.08
    #expect(try #require(try Self.route(venue, .accessible)).legs.contains { $0.mode == .ramp })
  }

  @Test func `an edge in one direction is not taken against it`() throws {
    var venue = Self.house()
    venue.lifts = []
    venue.edges[2] = RouteEdge(from: "a1", to: "a0", kind: .escalator, isTwoWay: false)
    #expect(throws: RouteError.oneWay) { try Self.route(venue) }
    #expect(try WayNetwork(venue).route(from: Scene.at(4, 1, level: 1), toPlace: "desk")?.legs.map(\.mode).contains(.escalator) == true)
  }

  @Test func `a lift is boarded once however many levels it passes`() throws {
    let levels = (0..<4).map { VenueLevel(id: "l\($0)", ordinal: $0) }
    let venue = Venue(
      id: "tower", levels: levels, places: [Place(id: "top", level: "l3", position: PlanPoint(x: 0, y: 0))],
      nodes: levels.map { RouteNode(id: $0.id, level: $0.id, position: PlanPoint(x: 0, y: 0)) },
      lifts: [RouteLift(id: "lift", stops: levels.map(\.id), boardTime: .seconds(90), levelTime: .seconds(20))])
    let route = try #require(try WayNetwork(venue).route(from: Scene.at(0, 0), toPlace: "top"))
    #expect(route.legs.map(\.mode) == [.lift] && route.time == .seconds(150))
  }

  // MARK: Refusals

  @Test func `each reason for the lack of a route has a name`() throws {
    #expect(throws: RouteError.notAccessible) { try Self.route(Self.house(lift: .unknown), .accessible) }
    #expect(throws: RouteError.notAccessible) { try Self.route(Self.house(floor: .unknown), .accessible) }
    var closed = Self.house(isClosed: true)
    closed.edges[2].isClosed = true
    #expect(throws: RouteError.closed) { try Self.route(closed) }
    var island = Self.house()
    island.edges.removeLast()
    island.lifts = []
    #expect(throws: RouteError.island(from: "ground", to: "first")) { try Self.route(island) }
    #expect(throws: RouteError.invalidPoint) {
      try WayNetwork(island).route(from: Scene.at(.nan, 0), to: Route.Destination(Scene.at(1, 1)))
    }
    #expect(throws: RouteError.invalidPoint) {
      try WayNetwork(island).route(from: Scene.at(0, 0), to: Route.Destination(Scene.at(1, 1, level: 7)))
    }
    #expect(try WayNetwork(island).route(from: Scene.at(0, 0), toPlace: "nowhere") == nil)
    var walled = island
    walled.levels[0].walkable = [Scene.rectangle(-1, -1, 42, 4)]
    #expect(throws: RouteError.destinationOutside(metres: 17)) {
      try WayNetwork(walled).route(from: Scene.at(0, 0), to: Route.Destination(Scene.at(20, 19.9)))
    }
    #expect(throws: RouteError.startOutside(metres: 17)) {
      try WayNetwork(walled).route(from: Scene.at(20, 19.9), to: Route.Destination(Scene.at(0, 0)))
    }
  }

  @Test func `nodes on one level between which no way leads are named`() throws {
    let places = ["p", "q"].enumerated().map { Place(id: $1, level: "g", position: PlanPoint(x: 60 * Double($0), y: 0)) }
    let venue = Venue(
      id: "v", levels: [VenueLevel(id: "g")], places: places,
      nodes: [("a", 0.0), ("b", 10), ("c", 50), ("d", 60)].map { RouteNode(id: $0, level: "g", position: PlanPoint(x: $1, y: 0)) },
      edges: [RouteEdge(from: "a", to: "b"), RouteEdge(from: "c", to: "d")])
    #expect(throws: RouteError.separateNodes(from: "b", to: "c", level: "g")) {
      try WayNetwork(venue).route(from: Scene.at(0, 0), toPlace: "q")
    }
    var lonely = venue
    lonely.nodes[3].place = "q"
    lonely.edges.removeLast()
    let error = #expect(throws: RouteError.self) { try WayNetwork(lonely).route(from: Scene.at(0, 0), toPlace: "q") }
    #expect(error?.description == "no way leads from node \"b\" to node \"d\" on level \"g\"; add an [[edge]] or a [[lift]]")
  }

  // MARK: Ways that may not be used

  /// A hall with a way from west to east, and a detour in the north.
  private static func hall(_ edge: RouteEdge) -> Venue {
    let positions = [("a", 5.0, 5.0), ("b", 25, 5), ("c", 25, 15), ("d", 5, 15)]
    return Venue(
      id: "hall", levels: [VenueLevel(walkable: [Scene.rectangle(0, 0, 30, 20)], wheelchair: .yes)],
      nodes: positions.map { RouteNode(id: $0.0, position: PlanPoint(x: $0.1, y: $0.2)) },
      edges: [edge, RouteEdge(from: "b", to: "c"), RouteEdge(from: "c", to: "d"), RouteEdge(from: "d", to: "a")])
  }

  @Test func `no straight line bypasses a way that may not be used`() throws {
    func length(_ edge: RouteEdge, _ profile: RouteProfile = .shortest) throws -> Double {
      try WayNetwork(Self.hall(edge)).route(from: Scene.at(4, 5.5), to: Route.Destination(Scene.at(26, 5.5)), profile: profile).length
    }
    #expect(try length(RouteEdge(from: "a", to: "b")) < 23)
    #expect(try length(RouteEdge(from: "a", to: "b", isClosed: true)) > 35)
    #expect(try length(RouteEdge(from: "b", to: "a", isTwoWay: false)) > 35)
    #expect(try length(RouteEdge(from: "a", to: "b", wheelchair: .no), .accessible) > 35)
  }

  @Test func `a start beside a closed way takes the nearest way that is open, and an end without ways is ignored`() throws {
    var venue = Self.hall(RouteEdge(from: "a", to: "b", isClosed: true))
    venue.levels[0].walkable = []
    venue.nodes.append(RouteNode(id: "alone", position: PlanPoint(x: 15, y: 7)))
    let route = try WayNetwork(venue).route(from: Scene.at(15, 7.5), to: Route.Destination(Scene.at(25, 15)))
    #expect(abs(route.length - 17.5) < 1e-9, "\(route)")
  }

  @Test func `two ways in opposite directions are two ways`() throws {
    let venue = Venue(
      id: "v", nodes: [RouteNode(id: "a", position: PlanPoint(x: 0, y: 0)), RouteNode(id: "b", position: PlanPoint(x: 20, y: 0))],
      edges: [
        RouteEdge(from: "a", to: "b", isTwoWay: false), RouteEdge(from: "b", to: "a", isTwoWay: false, time: .seconds(100)),
      ])
    let network = WayNetwork(venue)
    let there = try network.route(from: Scene.at(5, 0), to: Route.Destination(Scene.at(15, 0)))
    let back = try network.route(from: Scene.at(15, 0), to: Route.Destination(Scene.at(5, 0)))
    #expect(abs(there.time.seconds - 10 / 1.33) < 1e-3 && abs(back.time.seconds - 50) < 1e-3, "\(there) \(back)")
  }

  @Test func `only known accessibility is reported, and a short way over an unknown floor is tolerated`() throws {
    var venue = Self.house(floor: .unknown)
    for number in 0..<2 { venue.edges[number].wheelchair = .yes }
    let route = try #require(try Self.route(venue, .accessible))
    #expect(!route.isAccessible && route.legs.map(\.isAccessible) == [false, true, true, true, false])
    venue.levels = [VenueLevel(id: "ground", wheelchair: .yes), VenueLevel(id: "first", ordinal: 0, wheelchair: .yes)]
    venue.lifts = []
    venue.edges[2].kind = .walk
    #expect(throws: RouteError.notAccessible) { try Self.route(venue, .accessible) }
  }

  @Test func `a route from a place begins at its entrance`() throws {
    var venue = Self.house()
    venue.nodes[1].place = "desk"
    let network = WayNetwork(venue)
    let route = try network.route(from: Scene.at(10, 2), startPlace: "desk", to: Route.Destination(Scene.at(0, 0)))
    #expect(route.vertices[0].place == Scene.at(40, 0) && abs(route.length - 40) < 1e-9, "\(route)")
  }

  // MARK: Time

  @Test func `a route over 10,000 edges takes milliseconds`() throws {
    // A grid of 72 x 72 nodes.
    let side = 72
    var venue = Venue(id: "grid")
    for row in 0..<side {
      for column in 0..<side {
        venue.nodes.append(RouteNode(id: "\(row)/\(column)", position: PlanPoint(x: Double(column) * 5, y: Double(row) * 5)))
        if column > 0 { venue.edges.append(RouteEdge(from: "\(row)/\(column - 1)", to: "\(row)/\(column)")) }
        if row > 0 { venue.edges.append(RouteEdge(from: "\(row - 1)/\(column)", to: "\(row)/\(column)")) }
      }
    }
    let last = Double(side - 1) * 5
    venue.places = [Place(id: "goal", position: PlanPoint(x: last, y: last))]
    #expect(venue.edges.count > 10_000)
    let network = WayNetwork(venue)
    var best = Double.infinity
    for _ in 0..<10 {
      let start = processorTime
      let route = try network.route(from: Scene.at(0, 0), toPlace: "goal")
      best = min(best, processorTime - start)
      #expect(abs((route?.length ?? 0) - 2 * last) < 1e-6)
    }
    print("a route over \(venue.edges.count) edges takes \(best) s of the processor")
    // A build for tests is not optimised. `beaconmon-bench routes` has the limit of the release build.
    #expect(best < 0.2)
  }

  /// The seconds that this thread has used the processor: other tests that run meanwhile do not count.
  private var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Snapping

  @Test func `the accuracy of a snapped position covers the error`() throws {
    var random = SeededGenerator(seed: 5)
    func normal() -> Double { (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) } }
    let network = WayNetwork(Self.house())
    for sigma in [1.0, 2, 4] {
      var (covered, count) = (0, 0)
      for _ in 0..<2000 {
        let truth = PlanPoint(x: Double.random(in: 10...30, using: &random), y: 0)
        let measured = VenuePoint(PlanPoint(x: truth.x + sigma * normal(), y: truth.y + sigma * normal()), level: 0)
        let snapped = try #require(network.snapped(measured, accuracy: sigma))
        covered += snapped.place.point.distance(to: truth) <= snapped.accuracy ? 1 : 0
        count += 1
      }
      #expect((0.62...0.8).contains(Double(covered) / Double(count)), "\(sigma) m: \(covered) of \(count)")
    }
  }

  @Test func `a position far from all ways is snapped with an accuracy that covers the distance`() throws {
    let network = WayNetwork(Self.house())
    let snapped = try #require(network.snapped(Scene.at(20, 30), accuracy: 1))
    #expect(snapped.offset == 30 && snapped.accuracy > 29)
  }

  @Test(arguments: [RouteProfile.shortest, .accessible]) func `the route to a level is the best of those to its landings`(
    _ profile: RouteProfile
  ) throws {
    let count = 80
    let floor = [Scene.rectangle(0, 0, 400, 10)]
    var venue = Venue(
      id: "row",
      levels: [
        VenueLevel(id: "ground", walkable: floor, wheelchair: .yes), VenueLevel(id: "first", ordinal: 1, walkable: floor, wheelchair: .yes),
      ])
    for number in 0..<count {
      let position = PlanPoint(x: 5 * Double(number) + 1, y: number % 2 == 0 ? 1 : 9)
      venue.nodes += ["ground", "first"].map { RouteNode(id: "\($0)\(number)", level: $0, position: position) }
      if number % 10 == 3 {
        venue.lifts.append(RouteLift(id: "lift\(number)", stops: ["ground\(number)", "first\(number)"], wheelchair: .yes))
      } else {
        venue.edges.append(RouteEdge(from: "ground\(number)", to: "first\(number)", kind: .stairs))
      }
    }
    let network = WayNetwork(venue)
    for x in [3.0, 120, 397] {
      let start = VenuePoint(PlanPoint(x: x, y: 5), level: 0)
      let route = try network.route(from: start, toLevel: 1, profile: profile)
      let others = venue.nodes.filter { $0.level == "first" }.compactMap {
        try? network.route(from: start, to: Route.Destination(VenuePoint($0.position, level: 1)), profile: profile)
      }
      let best = try #require(others.map(\.time).min())
      #expect(abs((route.time - best).seconds) < 0.001 && route.end.level == 1 && route.destination.place == route.end)
    }
  }
}
