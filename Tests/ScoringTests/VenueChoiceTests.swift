import Beacons
import Ranging
import Scoring
import Testing
import Venues

@Suite struct VenueChoiceTests {
  private static func beacon(_ minor: UInt16) -> BeaconIdentity { BeaconIdentity(uuid: WalkScoreTests.uuid, major: 1, minor: minor) }

  private static func venue(_ id: String, _ minors: UInt16...) -> Venue {
    Venue(id: id, beacons: minors.map { PlannedBeacon(identity: beacon($0), level: VenueLevel.defaultID, position: PlanPoint(x: 0, y: 0)) })
  }

  private static let venues = [venue("empty"), venue("hall", 1, 2), venue("shop", 3)]

  @Test func `the venue whose beacons are heard has the positions`() throws {
    #expect(try BeaconPositions.venue(among: Self.venues, heard: [Self.beacon(3), Self.beacon(9)]).id == "shop")
  }

  @Test func `the first venue with beacons has the positions if none is heard`() throws {
    #expect(try BeaconPositions.venue(among: Self.venues, heard: [Self.beacon(9)]).id == "hall")
  }

  @Test func `beacons of several venues have no common positions`() {
    #expect(throws: BeaconPositions.VenueChoiceError.severalVenues(["hall", "shop"])) {
      try BeaconPositions.venue(among: Self.venues, heard: [Self.beacon(2), Self.beacon(3)])
    }
  }

  @Test func `a venue without beacons has no positions`() {
    #expect(throws: BeaconPositions.VenueChoiceError.noBeacons) { try BeaconPositions.venue(among: [Self.venue("empty")], heard: []) }
  }

  @Test func `the score of walks at venues has the levels of all receivers`() throws {
    let walk = try WalkTrial(
      WalkScoreTests.sightings(seconds: 5, rssi: [1: -59, 7: -59]), truth: WalkScoreTests.truth(seconds: 5),
      positions: BeaconPositions(csv: WalkScoreTests.positions))
    var outside = WalkSeries()
    outside.add(walk, RangingSettings())
    #expect(outside.score?.receiverLevels == [])
    var inside = WalkSeries(venues: [Self.venue("hall", 1)])
    var settings = RangingSettings()
    inside.add(walk, settings)
    settings.isCalibrated = true
    inside.add(walk, settings)
    #expect(inside.score?.receiverLevels == [ConfiguredLevel(), ConfiguredLevel(isCalibrated: true)])
  }
}
