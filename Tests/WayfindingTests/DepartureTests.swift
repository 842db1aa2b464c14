import Instants
import Testing
import Venues

@testable import Wayfinding

/// Visitors who leave the route or only seem to, on corridors that a venue states.
@Suite struct DepartureTests {
  /// A corridor of 40 m along the x axis with one to the side at 20 m, and a place at its end.
  private static func network() -> WayNetwork {
    var venue = Venue(id: "corridors", levels: [VenueLevel(id: "ground", ordinal: 0)])
    let points = [("west", 0.0, 0.0), ("fork", 20, 0), ("east", 40, 0), ("north", 20, 30)]
    venue.nodes = points.map { RouteNode(id: $0.0, level: "ground", position: PlanPoint(x: $0.1, y: $0.2)) }
    venue.edges = [RouteEdge(from: "west", to: "fork"), RouteEdge(from: "fork", to: "east"), RouteEdge(from: "fork", to: "north")]
    venue.places = [Place(id: "goal", level: "ground", position: PlanPoint(x: 40, y: 0))]
    return WayNetwork(venue)
  }

  /// A visitor with a position each second.
  private struct Visitor {
    var guide: RouteGuide
    private var seconds: Int64 = 0

    init() throws {
      let network = DepartureTests.network()
      let route = try network.route(from: VenuePoint(PlanPoint(x: 0, y: 0), level: 0), toPlace: "goal", profile: .shortest)
      guide = RouteGuide(try #require(route), in: network)
    }

    mutating func take(_ x: Double, _ y: Double, facing heading: Double) {
      seconds += 1
      let time = Instant(microseconds: seconds * 1_000_000)
      _ = guide.update(GuidedPosition(VenuePoint(PlanPoint(x: x, y: y), level: 0), accuracy: 1.3, heading: heading, time: time))
    }

    /// Walks along the corridor up to a place.
    mutating func walk(to end: Double) {
      for step in 0...Int(end / 1.2) { take(Double(step) * 1.2, 0, facing: 90) }
    }
  }

  /// Returns the seconds after which positions that stray to the north at a place cause another route; nil if none does.
  private func secondsUntilRoute(strayingAt x: Double, speed: Double = 0.8) throws -> Int? {
    var visitor = try Visitor()
    visitor.walk(to: x)
    for second in 1...7 {
      visitor.take(x, speed * Double(second), facing: 0)
      if visitor.guide.reroutings > 0 { return second }
    }
    return nil
  }

  @Test func `a visitor who stands and looks at a wall is not led another way when the positions stray, as one on a side way is`() throws {
    #expect(try secondsUntilRoute(strayingAt: 10.8) == nil)
    #expect(try secondsUntilRoute(strayingAt: 20.4) != nil)
  }

  @Test func `a visitor who stands where a wrong turn led them is led on after a few more steps`() throws {
    var visitor = try Visitor()
    visitor.walk(to: 20.4)
    for step in 1...3 { visitor.take(20.4, 1.2 * Double(step), facing: 0) }
    #expect(visitor.guide.reroutings == 0)
    for _ in 0..<15 { visitor.take(20.4, 3.6, facing: 200) }
    let before = visitor.guide.reroutings
    for step in 1...3 { visitor.take(20.4, 3.6 + 1.2 * Double(step), facing: 0) }
    #expect(before == 0 && visitor.guide.reroutings == 1)
  }

  @Test func `a walk along a way is more probable than one anywhere, and one across it less`() {
    let network = Self.network()
    let ways = NearbyWays(network, around: VenuePoint(PlanPoint(x: 10, y: 0), level: 0))
    func evidence(_ heading: Double) -> Double {
      ways.evidence(of: ways.deviation(of: heading, at: PlanPoint(x: 10, y: 1)) ?? 90)
    }
    #expect(evidence(90) > 1 && evidence(-80) > 1 && evidence(0) < -2)
    #expect(ways.deviation(of: 0, at: PlanPoint(x: 10, y: 9)) == nil)
    // A way to the side is near from the fork on.
    let fork = NearbyWays(network, around: VenuePoint(PlanPoint(x: 20, y: 0), level: 0))
    #expect(fork.deviation(of: 5, at: PlanPoint(x: 20, y: 4)) == 5)
  }

  @Test func `on a known floor a walk has any direction, and beside it none`() throws {
    let floor = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 40, y: 10)))
    let network = WayNetwork(Venue(id: "hall", levels: [VenueLevel(id: "ground", ordinal: 0, walkable: [floor])]))
    let ways = NearbyWays(network, around: VenuePoint(PlanPoint(x: 10, y: 5), level: 0))
    #expect(ways.deviation(of: 33, at: PlanPoint(x: 12, y: 5)) == 0 && ways.deviation(of: 33, at: PlanPoint(x: 12, y: 12)) == nil)
    #expect(ways.evidence(of: 0) == 0 && ways.evidence(of: 9) == -0.4 && ways.evidence(of: 90) == -4)
  }

  @Test func `errors of the compass across a way do not cancel out`() {
    let ways = NearbyWays(Self.network(), around: VenuePoint(PlanPoint(x: 10, y: 0), level: 0))
    let across = [-3.0, 3, -1, 1].compactMap { ways.deviation(of: $0, at: PlanPoint(x: 10, y: 1)) }
    #expect(across == [87, 87, 89, 89])
    #expect([87.0, 93].compactMap { ways.deviation(of: $0, at: PlanPoint(x: 10, y: 1)) } == [-3, 3])
  }

  @Test func `without a floor and ways, any walk is as probable as another`() {
    var venue = Venue(id: "stairwell", levels: (0..<2).map { VenueLevel(id: "l\($0)", ordinal: $0) })
    venue.nodes = (0..<2).map { RouteNode(id: "n\($0)", level: "l\($0)", position: PlanPoint(x: 0, y: 0)) }
    // Stairs that are drawn as a point lead into no direction.
    venue.edges = [RouteEdge(from: "n0", to: "n1", kind: .stairs)]
    let ways = NearbyWays(WayNetwork(venue), around: VenuePoint(PlanPoint(x: 1, y: 0), level: 0))
    #expect(ways.deviation(of: 33, at: PlanPoint(x: 1, y: 0)) == 0 && ways.evidence(of: 0) == 0)
  }

  // MARK: Turns behind stairs

  /// Stairs up to the east, a way back above them, and further stairs above these.
  private static func stairs() throws -> RouteTrack {
    var venue = Venue(id: "stairs", levels: (0..<3).map { VenueLevel(id: "l\($0)", ordinal: $0) })
    for level in 0..<3 {
      venue.nodes.append(RouteNode(id: "\(level)/west", level: "l\(level)", position: PlanPoint(x: 14, y: 0)))
      venue.nodes.append(RouteNode(id: "\(level)/east", level: "l\(level)", position: PlanPoint(x: 28, y: 0)))
    }
    venue.edges = [
      RouteEdge(from: "0/west", to: "1/east", kind: .stairs), RouteEdge(from: "1/east", to: "1/west"),
      RouteEdge(from: "1/west", to: "2/east", kind: .stairs),
    ]
    venue.places = [Place(id: "goal", level: "l2", position: PlanPoint(x: 28, y: 0))]
    let network = WayNetwork(venue)
    let route = try network.route(from: VenuePoint(PlanPoint(x: 14, y: 0), level: 0), toPlace: "goal", profile: .shortest)
    var track = RouteTrack(try #require(route))
    // The level changes at the foot of the stairs.
    for second in 0..<24 {
      let place = VenuePoint(PlanPoint(x: 14 + 0.48 * Double(second), y: 0), level: second == 0 ? 0 : 1)
      track.advance(position(place, second), heading: 90)
    }
    return track
  }

  private static func position(_ place: VenuePoint, _ second: Int) -> GuidedPosition {
    GuidedPosition(place, accuracy: 1.3, time: Instant(microseconds: Int64(second) * 1_000_000))
  }

  @Test func `a visitor who stands on stairs and looks back is not on the way behind them`() throws {
    var (standing, walking) = (try Self.stairs(), try Self.stairs())
    let top = standing.segments[0].length
    #expect(standing.changes == 1 && standing.progress < top)
    for second in 24..<31 {
      let place = VenuePoint(PlanPoint(x: 25 - 0.4 * Double(second - 24), y: 0), level: 1)
      standing.advance(Self.position(place, second), heading: -90, stride: 0.8)
      walking.advance(Self.position(place, second), heading: -90)
    }
    #expect(standing.progress < top && walking.progress > top, "\(standing.progress), \(walking.progress)")
  }

  @Test func `a visitor who stands in front of a lift that they have left is not on the piece of their last direction`() throws {
    var venue = Venue(id: "lift", levels: (0..<2).map { VenueLevel(id: "l\($0)", ordinal: $0) })
    func add(_ id: String, _ level: Int, _ x: Double, _ y: Double) {
      venue.nodes.append(RouteNode(id: id, level: "l\(level)", position: PlanPoint(x: x, y: y)))
    }
    add("start", 0, 0, -20)
    for level in 0..<2 { add("lift\(level)", level, 0, 0) }
    add("corner", 1, 3, 0)
    add("end", 1, 3, 30)
    venue.edges = [("start", "lift0"), ("lift1", "corner"), ("corner", "end")].map { RouteEdge(from: $0.0, to: $0.1) }
    venue.lifts = [RouteLift(id: "lift", stops: ["lift0", "lift1"], boardTime: .seconds(15), levelTime: .seconds(6))]
    venue.places = [Place(id: "goal", level: "l1", position: PlanPoint(x: 3, y: 30))]
    let route = try WayNetwork(venue).route(from: VenuePoint(PlanPoint(x: 0, y: -20), level: 0), toPlace: "goal", profile: .shortest)
    var track = RouteTrack(try #require(route))
    for second in 0..<18 {
      track.advance(Self.position(VenuePoint(PlanPoint(x: 0, y: Double(second) * 1.2 - 20), level: 0), second), heading: 0)
    }
    for second in 18..<30 {
      track.advance(Self.position(VenuePoint(PlanPoint(x: 1, y: 0.5), level: second < 20 ? 0 : 1), second), heading: -40, stride: 0)
    }
    #expect(track.changes == 1 && track.progress < 22, "\(track.progress)")
  }

  @Test func `a visitor who seems to go back after stairs is on the next piece that leads there, not on a later one`() throws {
    var track = try Self.stairs()
    let top = track.segments[0].length
    // At the turn, the progress lags behind a visitor who has already walked on.
    (track.progress, track.farthest) = (top - 3, top + 3.5)
    track.farthestTime = Instant(microseconds: 0)
    let hasTurnedBack = track.hasTurnedBack(Self.position(VenuePoint(PlanPoint(x: 25, y: 0), level: 1), 24), walking: nil)
    #expect(!hasTurnedBack && track.progress < top + 6, "\(track.progress)")
  }
}
