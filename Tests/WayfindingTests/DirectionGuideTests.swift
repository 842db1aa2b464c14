import Geodesy
import RealModule
import RouteReports
import Seeds
import TestSupport
import Testing
import Venues

@testable import Wayfinding

/// The arrow to a place on the earth.
@Suite struct DirectionGuideTests {
  private static func coordinate(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  /// Returns a guide to a place 1 km north of the returned position.
  private static func north(radius: Double = 5) throws -> (DirectionGuide, Coordinate) {
    (DirectionGuide(to: try coordinate(48.009, 11), radius: radius), try coordinate(48, 11))
  }

  @Test func `the bearing agrees with Karney's geodesic anywhere on the earth`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let a = try Self.coordinate(.random(in: -89...89, using: &random), .random(in: -180...180, using: &random))
      let b = try Self.coordinate(.random(in: -89...89, using: &random), .random(in: -180...180, using: &random))
      var guide = DirectionGuide(to: b)
      let output = guide.update(.init(a, accuracy: 1))
      let expected = Geodesic(from: a, to: b)
      let bearing = try #require(output.bearing)
      #expect((0..<360).contains(bearing) && abs((bearing - expected.initialAzimuth).remainder(dividingBy: 360)) < 0.01)
      #expect(output.distance == expected.distance && output.side == nil)
    }
    // GeographicLib's GeodSolve: Wellington to Salamanca, and from Munich across 200 m.
    var far = DirectionGuide(to: try Self.coordinate(40.96, -5.5))
    let bearing = try #require(far.update(.init(try Self.coordinate(-41.32, 174.81), accuracy: 1)).bearing)
    #expect(abs(bearing - 161.067669986) < 0.01, "\(bearing)")
  }

  @Test(arguments: ["GeodTest-100.dat", "geodsolve-200.txt"])
  func `the bearing is within 0.01° of the geodesics of GeographicLib`(fixture: String) throws {
    var largest = 0.0
    for line in try Fixture.text(fixture).split(separator: "\n") {
      // Latitude, longitude and azimuth of the start, and latitude and longitude of the end.
      let fields = try line.split(separator: " ").map { try #require(Double($0)) }
      let (start, end) = (try Self.coordinate(fields[0], fields[1]), try Self.coordinate(fields[3], fields[4]))
      // The shortest line has 0.6 m.
      var guide = DirectionGuide(to: end, radius: 0.1)
      let output = guide.update(.init(start, accuracy: 0.001))
      let bearing = try #require(output.bearing, "\(line)")
      #expect(abs(output.distance - fields[6]) < 1e-3, "\(line)")
      // Between points that are nearly antipodes the azimuth of the file depends on digits that it does not have.
      guard fields[6] < 19_900_000 else { continue }
      largest = max(largest, abs((bearing - fields[2]).remainder(dividingBy: 360)))
    }
    #expect(largest < 0.01, "\(largest)")
  }

  @Test(arguments: [
    (0.0, DirectionGuide.Side.ahead, 0.0), (9, .ahead, -9), (-9, .ahead, 9), (11, .left, -11), (-11, .right, 11), (90, .left, -90),
    (270, .right, 90), (179, .left, -179), (181, .right, 179), (350, .ahead, 10), (349, .right, 11),
  ]) func `the side is that of the shorter turn`(heading: Double, side: DirectionGuide.Side, turn: Double) throws {
    var (guide, here) = try Self.north()
    let output = guide.update(.init(here, accuracy: 1, heading: heading, headingAccuracy: 5))
    #expect(output.side == side && abs((output.turn ?? 999) - turn) < 1e-6, "\(output)")
  }

  @Test func `the side does not flicker at its borders`() throws {
    var (guide, here) = try Self.north()
    func sides(_ headings: [Double]) -> [DirectionGuide.Side?] {
      headings.map { guide.update(.init(here, accuracy: 1, heading: $0, headingAccuracy: 5)).side }
    }
    #expect(sides([8, 11, 9, 12, 14, 11]) == Array(repeating: .ahead, count: 6))
    #expect(sides([16, 14, 11, 12, 9]) == [.left, .left, .left, .left, .ahead])
    // Behind the visitor the arrow keeps to its side for 10 degrees.
    #expect(sides([170, 178, 182, 188, 182, 192, 188, 172, 168]) == [.left, .left, .left, .left, .left, .right, .right, .right, .left])
  }

  @Test func `a direction that cannot be trusted is hidden`() throws {
    var (guide, here) = try Self.north()
    let target = guide.target
    #expect(guide.update(.init(here, accuracy: 5)).side == nil)
    #expect(guide.update(.init(here, accuracy: 5, heading: 90)).turn == nil)
    #expect(guide.update(.init(here, accuracy: 5, heading: 90, headingAccuracy: 35)).side == nil)
    #expect(guide.update(.init(here, accuracy: 5, heading: 90, headingAccuracy: 35)).bearing != nil)
    #expect(guide.update(.init(here, accuracy: 5, heading: 90, headingAccuracy: 10)).side == .left)
    // 10 m from the target with a sigma of 10 m, the target may be on any side.
    let near = try Self.coordinate(target.latitude - 0.00009, 11)
    let output = guide.update(.init(near, accuracy: 10, heading: 90, headingAccuracy: 10))
    #expect(output.side == nil && output.bearing == nil && !output.hasArrived && abs(output.distance - 10) < 0.1)
  }

  @Test func `the visitor has arrived within the radius, and leaves beyond half as much again`() throws {
    var (guide, _) = try Self.north(radius: 10)
    func hasArrived(_ metres: Double) throws -> Bool {
      let here = try Self.coordinate(48.009 - metres / 111_200, 11)
      return guide.update(.init(here, accuracy: 1, heading: 0, headingAccuracy: 5)).hasArrived
    }
    #expect(try [20, 11, 9, 12, 14, 16, 12].map(hasArrived) == [false, false, true, true, true, false, false])
  }

  @Test(arguments: [Double.nan, .infinity, -1, 11]) func `an inaccurate position does not arrive`(accuracy: Double) throws {
    var (guide, _) = try Self.north(radius: 5)
    #expect(!guide.update(.init(guide.target, accuracy: accuracy)).hasArrived)
    #expect(guide.update(.init(guide.target, accuracy: 10)).hasArrived)
  }
}
