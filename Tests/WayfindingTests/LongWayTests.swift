import Instants
import Testing
import Venues

@testable import Wayfinding

/// Guidance along a way of 100 km, the longest that a venue may state.
@Suite struct LongWayTests {
  private static func network() -> WayNetwork {
    var venue = Venue(id: "far", levels: [VenueLevel(id: "ground", ordinal: 0)])
    venue.nodes = [("west", 0.0), ("east", 100_000)].map { RouteNode(id: $0, level: "ground", position: PlanPoint(x: $1, y: 0)) }
    venue.edges = [RouteEdge(from: "west", to: "east")]
    venue.places = [Place(id: "goal", level: "ground", position: PlanPoint(x: 100_000, y: 0))]
    return WayNetwork(venue)
  }

  private static func position(_ x: Double, _ second: Int, accuracy: Double = 1.3) -> GuidedPosition {
    GuidedPosition(
      VenuePoint(PlanPoint(x: x, y: 0), level: 0), accuracy: accuracy, heading: 90, time: Instant(microseconds: Int64(second) * 1_000_000))
  }

  /// Returns the most cells of a belief that follows a visitor from a place on.
  private static func mostCells(from x: Double, accuracy: Double) throws -> (cells: Int, offset: Double) {
    let route = try Self.network().route(from: VenuePoint(PlanPoint(x: x, y: 0), level: 0), toPlace: "goal", profile: .shortest)
    let track = RouteTrack(try #require(route))
    var belief = RouteBelief(track)
    var most = belief.cellCount
    for second in 1...60 {
      let (last, next) = (
        position(x + Double(second - 1), second - 1, accuracy: accuracy), position(x + Double(second), second, accuracy: accuracy)
      )
      _ = belief.update(from: last, to: next, speed: 1.2, PositionError(from: last, to: next))
      most = max(most, belief.cellCount)
    }
    return (most, belief.moments.offset)
  }

  @Test func `the belief of a guide has cells around the visitor only`() throws {
    let exact = try Self.mostCells(from: 0, accuracy: 1.3)
    #expect(exact.cells < 150 && abs(exact.offset - 60) < 3, "\(exact)")
    let coarse = try Self.mostCells(from: 0, accuracy: 15)
    #expect(coarse.cells < 1000, "\(coarse)")
  }

  @Test func `at the end of the way, the last cell is the end`() throws {
    let end = try Self.mostCells(from: 100_000 - 60, accuracy: 1.3)
    #expect(end.cells < 150 && abs(end.offset - 60) < 3, "\(end)")
  }

  @Test func `a progress that is uncertain by kilometres has a limited number of cells`() throws {
    let route = try Self.network().route(from: VenuePoint(PlanPoint(x: 0, y: 0), level: 0), toPlace: "goal", profile: .shortest)
    var track = RouteTrack(try #require(route))
    (track.progress, track.variance) = (50_000, 1e8)
    let belief = RouteBelief(track)
    #expect(belief.cellCount <= 2000 && abs(belief.moments.offset - 50_000) < 1)
  }
}
