import Beacons
import IndoorPositioning
import TestSupport
import Testing
import Venues

@Suite struct PositionErrorMapTests {
  private static func venue(_ points: [PlanPoint], walls: [VenueWall] = [], width: Double = 30) throws -> Venue {
    let outline = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: width, y: 20)))
    return Venue(
      id: "hall", levels: [VenueLevel(walkable: [outline])], walls: walls,
      beacons: points.enumerated().map { index, point in
        PlannedBeacon(
          identity: BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: UInt16(index)), position: point, height: 2.5)
      })
  }

  private static func map(_ venue: Venue) -> PositionErrorMap { PositionErrorMap(venue, venue.levels[0]) }

  private static let western = [
    PlanPoint(x: 2, y: 2), PlanPoint(x: 2, y: 18), PlanPoint(x: 8, y: 10), PlanPoint(x: 14, y: 2), PlanPoint(x: 14, y: 18),
  ]

  @Test func `the error grows with the distance from the beacons`() throws {
    let map = Self.map(try Self.venue(Self.western))
    let radii = try [11.0, 18, 23, 29].map { try #require(map.radius(at: PlanPoint(x: $0, y: 10))) }
    #expect(radii == radii.sorted() && radii[0] < 3.5 && radii[3] > radii[0] + 0.2)
  }

  @Test func `more beacons make every error smaller`() throws {
    let few = Self.map(try Self.venue(Self.western))
    let many = Self.map(try Self.venue(Self.western + [PlanPoint(x: 20, y: 10), PlanPoint(x: 28, y: 3), PlanPoint(x: 28, y: 17)]))
    #expect(few.cells.count == many.cells.count && few.cells.count == 2400)
    #expect(zip(few.cells, many.cells).allSatisfy { ($1.radius ?? .infinity) < ($0.radius ?? .infinity) })
  }

  @Test func `fewer than four beacons give no position, and neither do beacons behind thick walls`() throws {
    #expect(Self.map(try Self.venue(Array(Self.western.prefix(3)))).cells.allSatisfy { $0.radius == nil })
    let wall = VenueWall(from: PlanPoint(x: 20, y: 0), to: PlanPoint(x: 20, y: 20), attenuation: 40)
    let map = Self.map(try Self.venue(Self.western, walls: [wall]))
    #expect(map.radius(at: PlanPoint(x: 19, y: 10)) != nil && map.radius(at: PlanPoint(x: 21, y: 10)) == nil)
  }

  @Test func `the share that breaks a promise and its worst place are known`() throws {
    let map = Self.map(try Self.venue(Self.western))
    let failure = try #require(map.failure(of: 3.5))
    #expect(failure.share > 0.1 && failure.share < 0.95 && failure.worst.point.x > 28)
    #expect(map.failure(of: 100) == nil)
  }

  @Test func `the predicted error of the gallery is that of the recorded walks within 10 %`() throws {
    let beacons = try Fixture.text("gallery.beacons.csv").split(separator: "\n").dropFirst().map { line in
      let values = line.split(separator: ",").map { Double($0) ?? .nan }
      return PlannedBeacon(
        identity: BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: UInt16(values[0])),
        position: PlanPoint(x: values[1], y: values[2]), height: values[3])
    }
    let hall = try #require(PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 20.66, y: 17.64)))
    let map = Self.map(Venue(id: "gallery", levels: [VenueLevel(walkable: [hall])], beacons: beacons))
    // 1.73 m is the mean error of all five walks by the beacons alone; see GalleryScoreTests.
    let ratio = try #require(map.meanError) / 1.73
    #expect((0.9...1.1).contains(ratio), "\(ratio)")
  }

  @Test func `a huge level has cells of a few metres, and an empty one has none`() throws {
    #expect(Self.map(try Self.venue(Self.western, width: 4000)).cells.count < 12_000)
    #expect(PositionErrorMap(Venue(id: "empty"), VenueLevel()).cells.isEmpty)
  }
}
