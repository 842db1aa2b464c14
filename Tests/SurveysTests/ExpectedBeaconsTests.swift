import Beacons
import Regions
import Surveys
import Testing
import Venues

@Suite struct ExpectedBeaconsTests {
  private static let other = BeaconUUID(high: 3, low: 4)

  @Test func `a survey distinguishes missing, unexpected and foreign beacons`() throws {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1, seconds: 0...10)
    scene.add(SurveyScene.beacon(8), sender: 8, seconds: 0...10)
    scene.add(SurveyScene.beacon(1, Self.other), sender: 9, seconds: 0...10)
    let list = try ExpectedBeacons(
      csv: """
        name,uuid,major,minor
        Door,\(SurveyScene.uuid),1,1
        Till,\(SurveyScene.uuid),1,2
        """)
    let report = scene.report(Survey(expected: list))
    #expect(report.missing?.map(\.minor) == [2] && report.missing?.first?.name == "Till")
    let verdicts = (report.beacons ?? []).map { ($0.verdicts ?? []).compactMap(\.kind) }
    #expect(verdicts == [[], [.unexpected], [.foreign]])
    #expect(report.beacons?.map(\.expected) == [true, false, false] && report.beacon(1)?.name == "Door")
    #expect(report.expectation?.source == .list && report.expectation?.beacons == 2)
  }

  @Test func `a listed power that differs from the advertised one is a wrong power`() throws {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1, seconds: 0...10, power: -59)
    scene.add(SurveyScene.beacon(2), sender: 2, seconds: 0...10, power: -59)
    let list = try ExpectedBeacons(
      csv: "uuid,major,minor,measured_power\n\(SurveyScene.uuid),1,1,-65\n\(SurveyScene.uuid),1,2,-59\n")
    let report = scene.report(Survey(expected: list))
    #expect(report.kinds(1) == [.wrongPower] && report.kinds(2) == [])
    #expect(report.beacon(1)?.verdicts?.first?.reason == "it advertises -59 dBm at 1 m, but the list has -65 dBm")
  }

  @Test func `a region of a whole UUID expects all its beacons, unless a venue lists them`() {
    let region = Region.beacon(BeaconRegion(identifier: "shop", constraint: BeaconConstraint(uuid: SurveyScene.uuid)))
    let far = Region.beacon(BeaconRegion(identifier: "depot", constraint: BeaconConstraint(uuid: Self.other)))
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1, seconds: 0...10)
    scene.add(SurveyScene.beacon(2), sender: 2, seconds: 0...10)
    let regions = scene.report(Survey(expected: ExpectedBeacons(regions: [region, far], venues: [], languages: [])))
    #expect(regions.kinds(1) == [] && regions.kinds(2) == [] && regions.missing?.map(\.name) == ["depot"])
    #expect(regions.missing?.first?.minor == nil)
    let venue = Venue(id: "shop", beacons: [PlannedBeacon(identity: SurveyScene.beacon(1), position: PlanPoint(x: 0, y: 0), name: "Door")])
    let both = scene.report(Survey(expected: ExpectedBeacons(regions: [region], venues: [venue], languages: [])))
    #expect(both.kinds(1) == [] && both.kinds(2) == [.unexpected] && both.beacon(1)?.name == "Door" && both.missing == [])
    #expect(ExpectedBeacons(regions: [], venues: [], languages: []) == nil)
  }

  @Test func `a region names a beacon only if it has no other one`() {
    func region(_ name: String, _ constraint: BeaconConstraint) -> Region {
      .beacon(BeaconRegion(identifier: name, constraint: constraint))
    }
    let uuid = SurveyScene.uuid
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1, seconds: 0...10)
    scene.add(SurveyScene.beacon(2), sender: 2, seconds: 0...10)
    for wide in [region("shop", BeaconConstraint(uuid: uuid)), region("floor", BeaconConstraint(uuid: uuid, major: 1))] {
      let alone = scene.report(Survey(expected: ExpectedBeacons(regions: [wide], venues: [], languages: [])))
      #expect(alone.beacons?.map(\.name) == [nil, nil] && alone.beacons?.map(\.expected) == [true, true])
    }
    let regions = [
      region("shop", BeaconConstraint(uuid: uuid)), region("door", BeaconConstraint(uuid: uuid, major: 1, minor: 1)),
      region("till", BeaconConstraint(uuid: uuid, major: 1, minor: 2)),
    ]
    let named = scene.report(Survey(expected: ExpectedBeacons(regions: regions, venues: [], languages: [])))
    #expect(named.beacons?.map(\.name) == ["door", "till"])
  }

  @Test(
    arguments: [
      ("", nil, "the file is empty"), ("uuid,major\n", 1, "the column minor is missing"),
      ("uuid;major;minor\n", 1, "separated by semicolons; separate them by commas"),
      ("name\n", 1, "the columns uuid, major, minor are missing"), ("uuid,major,minor\n", nil, "there is no beacon"),
      ("uuid,major,minor\nx,1,1\n", 2, "uuid: "),
      ("uuid,major,minor\n{u},1,70000\n", 2, "minor: \"70000\" is not a whole number"),
      ("uuid,major,minor\n{u},1,\n", 2, "minor: is empty"),
      ("uuid,major,minor\n{u},1,1\n\n{u},1,1\n", 4, "line 2 has the beacon 1/1 of this UUID already; remove one of them"),
      ("uuid,major,minor,measured_power\n{u},1,1,59\n", 2, "measured_power: 59.0 is not an RSSI"),
    ] as [(String, Int?, String)])
  func `a wrong list is refused with the line and the remedy`(text: String, line: Int?, message: String) {
    let csv = text.replacing("{u}", with: SurveyScene.uuid.description)
    let error = #expect(throws: PositionTableError.self) { try ExpectedBeacons(csv: csv) }
    #expect(error?.line == line && error?.message.contains(message) == true, "\(String(describing: error))")
  }
}
