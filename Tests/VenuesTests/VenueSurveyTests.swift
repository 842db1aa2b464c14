import Beacons
import Testing
import Venues

@Suite struct VenueSurveyTests {
  private static let uuids = ["11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"]
  private static let header = "x_m,y_m,z_m,minor,rssi\n"

  /// Returns a venue of some levels with beacons of the majors and minors.
  private func venue(levels: [String] = ["ground"], _ beacons: [(uuid: Int, major: UInt16, minor: UInt16)]) throws -> Venue {
    Venue(
      id: "hall", levels: levels.map { VenueLevel(id: $0) },
      beacons: try beacons.map {
        PlannedBeacon(
          identity: BeaconIdentity(uuid: try BeaconUUID(Self.uuids[$0.uuid]), major: $0.major, minor: $0.minor), level: levels[0],
          position: PlanPoint(x: 0, y: 0))
      })
  }

  @Test func `a survey has the mean RSSI of each beacon at each place`() throws {
    let venue = try venue([(0, 1, 5), (0, 1, 6)])
    let survey = try VenueSurvey(csv: Self.header + "1,2,1.8,5,-70.5\r\n1,2,1.8,6,-80\n3,2,1.8,5,-60\n", file: "survey.csv", of: venue)
    #expect(survey.places == 2 && survey.unknownBeacons == 0)
    #expect(survey.readings.map(\.rssi) == [-70.5, -80, -60])
    #expect(survey.readings.map(\.beacon.minor) == [5, 6, 5])
    #expect(survey.readings[0].point == PlanPoint(x: 1, y: 2) && survey.readings[0].height == 1.8 && survey.readings[0].level == "ground")
  }

  @Test func `lines about beacons of others are counted and ignored`() throws {
    let survey = try VenueSurvey(csv: Self.header + "1,2,1.8,5,-70\n1,2,1.8,7,-70\n", file: "s", of: try venue([(0, 1, 5)]))
    #expect(survey.readings.count == 1 && survey.unknownBeacons == 1)
  }

  @Test func `major, UUID and level distinguish beacons and storeys`() throws {
    let venue = try venue(levels: ["ground", "first"], [(0, 1, 5), (0, 2, 5), (1, 2, 5)])
    let csv = "level,x_m,y_m,z_m,uuid,major,minor,rssi\nfirst,1,2,1.8,\(Self.uuids[1]),2,5,-70\nground,1,2,1.8,,1,5,-71\n"
    let survey = try VenueSurvey(csv: csv, file: "s", of: venue)
    #expect(survey.readings.map(\.beacon) == [venue.beacons[2].identity, venue.beacons[0].identity])
    #expect(survey.readings.map(\.level) == ["first", "ground"])
    #expect(survey.places == 2)
  }

  @Test(
    arguments: [
      ("x_m,y_m,minor,rssi\n", 1, "the column z_m is missing; the first line must be x_m,y_m,z_m,minor,rssi"),
      ("x_m,y_m,z_m,minor,rssi\n1,2,1.8,,-70\n", 2, "minor: is empty"),
      ("x_m,y_m,z_m,minor,rssi\n1,2,1.8,5,70\n", 2, "rssi: 70.0 is not an RSSI; write dBm, such as -71.5"),
      ("x_m,y_m,z_m,minor,rssi\n1,nan,1.8,5,-70\n", 2, "y_m: nan is not between -100000 and 100000"),
      ("x_m,y_m,z_m,minor,rssi\n1,2,1.8,6,-70\n", 2, "minor: the venue has several beacons of minor 6; add the columns uuid and major"),
      ("x_m,y_m,z_m,major,minor,rssi,level\n1,2,1.8,1,5,-70,cellar\n", 2, "level: the venue has no such level; its levels are ground"),
      (
        "x_m,y_m,z_m,minor,rssi\n1,2,1.8,5,-70\n1,3,1.8,5,-70\n1,2,1.5,5,-60\n", 4,
        "line 2 has this beacon at this place already; write one line with the mean RSSI"
      ),
    ])
  func `a bad survey is refused with its line`(csv: String, line: Int, message: String) throws {
    let venue = try venue([(0, 1, 5), (0, 1, 6), (0, 2, 6)])
    let error = try #require(throws: PositionTableError.self) { try VenueSurvey(csv: csv, file: "s", of: venue) }
    #expect(error.line == line && error.message == message)
  }

  @Test func `a level is required where there are several`() throws {
    let venue = try venue(levels: ["ground", "first"], [(0, 1, 5)])
    let error = try #require(throws: PositionTableError.self) {
      try VenueSurvey(csv: Self.header + "1,2,1.8,5,-70\n", file: "s", of: venue)
    }
    #expect(error.message == "the level is missing; the venue has several levels, so write the id of one")
  }

  @Test func `a survey of more lines than the limit is refused`() throws {
    let venue = try venue([(0, 1, 5)])
    let csv = Self.header + (0..<VenueSurvey.mostReadings).map { "\($0),2,1.8,5,-70\n" }.joined()
    #expect(try VenueSurvey(csv: csv, file: "s", of: venue).readings.count == VenueSurvey.mostReadings)
    let error = try #require(throws: PositionTableError.self) {
      try VenueSurvey(csv: csv + "1,1,1.8,5,-70\n", file: "s", of: venue)
    }
    #expect(error.line == VenueSurvey.mostReadings + 2 && error.message == "there are more than 20000 lines; remove some")
  }
}
