import Instants
import RouteReports
import Testing
import Venues

@testable import Wayfinding

/// Visitors on another level than their route, by a wrong stop of a lift or wrong stairs.
@Suite struct LevelTests {
  /// Three halls of 40 m by 10 m, with a lift at x = 20 m, and stairs at x = 2 m on which a visitor may climb on.
  private static func network() -> WayNetwork {
    let floor = [PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 40, y: 10))].compactMap { $0 }
    var venue = Venue(id: "halls", levels: (0..<3).map { VenueLevel(id: "l\($0)", ordinal: $0, walkable: floor) })
    for level in 0..<3 {
      venue.nodes.append(RouteNode(id: "lift\(level)", level: "l\(level)", position: PlanPoint(x: 20, y: 5)))
      venue.nodes.append(RouteNode(id: "stairs\(level)", level: "l\(level)", position: PlanPoint(x: 2, y: level == 1 ? 8 : 5)))
    }
    venue.edges = (0..<2).map { RouteEdge(from: "stairs\($0)", to: "stairs\($0 + 1)", kind: .stairs) }
    venue.lifts = [RouteLift(id: "lift", stops: (0..<3).map { "lift\($0)" }, boardTime: .seconds(5), levelTime: .seconds(1))]
    venue.places = [
      Place(id: "top", level: "l2", position: PlanPoint(x: 38, y: 5)), Place(id: "middle", level: "l1", position: PlanPoint(x: 12, y: 8)),
    ]
    return WayNetwork(venue)
  }

  /// A visitor with a position each second, the last output of the guide, and its announcements.
  private struct Visitor {
    var guide: RouteGuide
    private(set) var output: GuidanceOutput?
    private(set) var sentences: [Announcement] = []
    private var seconds: Int64 = 0

    init(from x: Double, to place: String) throws {
      let network = LevelTests.network()
      let route = try network.route(from: VenuePoint(PlanPoint(x: x, y: 5), level: 0), toPlace: place, profile: .shortest)
      guide = RouteGuide(try #require(route), in: network)
    }

    mutating func take(_ x: Double, _ y: Double = 5, level: Int, accuracy: Double = 3, heading: Double? = nil) {
      seconds += 1
      let output = guide.update(
        GuidedPosition(
          VenuePoint(PlanPoint(x: x, y: y), level: level), accuracy: accuracy, heading: heading,
          time: Instant(microseconds: seconds * 1_000_000)))
      self.output = output
      sentences += output.announcements
    }

    /// Walks to the lift and waits there.
    mutating func takeLift(heading: Double? = nil) {
      for x in stride(from: 12.0, through: 20, by: 1) { take(x, level: 0, heading: heading) }
      for _ in 0..<5 { take(20, level: 0, heading: heading) }
    }
  }

  @Test(arguments: [nil, 90.0]) func `a visitor who leaves the lift at a wrong stop gets a route from there, and sees their own level`(
    heading: Double?
  ) throws {
    var visitor = try Visitor(from: 12, to: "top")
    visitor.takeLift(heading: heading)
    var seconds = 0
    while visitor.guide.reroutings == 0, seconds < 30 {
      seconds += 1
      visitor.take(min(35, 20 + 1.2 * Double(seconds)), level: 1, heading: heading)
      #expect(seconds < 2 || visitor.output?.matched.level == 1)
    }
    // The lift is 9 m away, as far as an error of the position explains.
    #expect(seconds <= 9, "\(seconds)")
    #expect(visitor.guide.route.vertices.first?.place.level == 1 && visitor.sentences.last?.kind == .rerouted)
  }

  @Test func `a visitor who waits at a wrong stop gets a route after 15 s, and one whose lift goes on gets none`() throws {
    var visitor = try Visitor(from: 12, to: "top")
    visitor.takeLift()
    var waiting = visitor
    for _ in 0..<14 { visitor.take(20.5, 6, level: 1) }
    #expect(visitor.output?.next?.kind == .changeLevel(.lift, isUp: true, level: 2))
    for x in [20.0, 20, 22, 24, 26] { visitor.take(x, level: 2) }
    #expect(visitor.guide.reroutings == 0 && visitor.output?.matched.level == 2)
    for _ in 0..<17 { waiting.take(20.5, 6, level: 1) }
    #expect(waiting.guide.reroutings == 1 && waiting.guide.isUndecided == false)
  }

  @Test func `a visitor who climbs on past the level gets no more instructions for it, and gets a route back`() throws {
    var visitor = try Visitor(from: 6, to: "middle")
    for x in [6.0, 5, 4, 3, 2] { visitor.take(x, level: 0) }
    for y in [5.5, 6, 6.5, 7, 7.5, 8] { visitor.take(2, y, level: 1) }
    #expect(visitor.output?.matched.level == 1)
    let heard = visitor.sentences.count
    visitor.take(2, 7, level: 2)
    for second in 1...5 {
      visitor.take(2 + Double(second), 6, level: 2)
      #expect(visitor.output?.matched.level == 2 && visitor.output?.next == nil && visitor.guide.directionLine == nil)
    }
    #expect(visitor.sentences.count == heard && visitor.guide.reroutings == 0)
    for x in [8.0, 9] { visitor.take(x, 6, level: 2) }
    #expect(visitor.guide.reroutings == 1 && visitor.guide.route.vertices.first?.place.level == 2)
  }

  @Test func `a visitor who goes back down gets a route`() throws {
    var visitor = try Visitor(from: 6, to: "middle")
    for x in [6.0, 5, 4, 3, 2] { visitor.take(x, level: 0) }
    for y in [5.5, 6, 6.5] { visitor.take(2, y, level: 1) }
    for second in 0..<8 { visitor.take(2 + Double(second), level: 0) }
    #expect(visitor.guide.reroutings == 1 && visitor.guide.route.vertices.first?.place.level == 0)
  }

  @Test func `a level that lags behind stairs or is wrong for some seconds causes no route`() throws {
    var visitor = try Visitor(from: 6, to: "middle")
    for x in [6.0, 5, 4, 3, 2] { visitor.take(x, level: 0) }
    for _ in 0..<5 { visitor.take(2, 6, level: 2) }
    for y in [6.5, 7, 7.5] { visitor.take(2, y, level: 1) }
    for y in [8.0, 8, 8, 8] { visitor.take(3, y, level: 0) }
    for x in stride(from: 4.0, through: 9, by: 1) { visitor.take(x, 8, level: 1) }
    for _ in 0..<5 { visitor.take(9.5, 8, level: 0) }
    visitor.take(10, 8, level: 1)
    #expect(visitor.guide.reroutings == 0 && visitor.output?.matched.level == 1)
  }
}
