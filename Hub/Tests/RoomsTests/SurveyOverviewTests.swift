import Rooms
import Testing

@Suite struct SurveyOverviewTests {
  private static let time = "2026-11-20 09:00"
  private var overview = SurveyOverview(of: "berlin", devices: SurveyReviewTests.devices)

  private func entry(_ room: String) -> SurveyedRoom { SurveyedRoom(room: room, time: Self.time) }

  private func survey(_ room: String, _ device: Int32, doors: [String] = [], devices: [SiteDevice] = Site.devices) -> RoomSurvey {
    RoomSurveyTests.survey(room, [device: -50], doors: doors, devices: devices)
  }

  @Test mutating func `the surveys decide when every room has one`() {
    #expect(overview.rooms == ["attic", "hall", "shop"])
    #expect(
      overview.add(entry("attic"), survey("attic", 3)) == "attic  \(Self.time)  100 s, 98 levels of 1 device; doors to unknown rooms")
    #expect(
      overview.add(entry("hall"), survey("hall", 1, doors: ["shop", "attic"]))
        == "hall  \(Self.time)  100 s, 98 levels of 1 device; doors to shop, attic")
    _ = overview.add(entry("shop"), survey("shop", 2))
    #expect(overview.verdict == "all rooms are surveyed, so the surveys decide")
    #expect(overview.abandoned([entry("hall"), entry("cellar")]) == ["cellar  \(Self.time)  has no device now and does not count"])
  }

  @Test mutating func `learned levels decide while a room has no survey, or one that cannot be read`() {
    #expect(overview.addUnsurveyed("attic") == "attic  not surveyed")
    let line = overview.add(entry("hall"), .unknownVersion(9))
    #expect(line.hasPrefix("hall  \(Self.time)  the state is of version 9") && line.hasSuffix("; survey it again"))
    _ = overview.add(entry("shop"), survey("shop", 2))
    #expect(overview.verdict == "2 of 3 rooms are not surveyed, so learned levels decide")
  }

  @Test mutating func `learned levels decide if the devices of a survey hang elsewhere now`() {
    var moved = Site.devices
    for index in moved.indices { moved[index].room = "cellar" }
    let line = overview.add(entry("hall"), survey("hall", 1, devices: moved))
    #expect(line.hasSuffix("; doors to unknown rooms; 1 device was moved since: survey it again"))
    for room in ["attic", "shop"] { _ = overview.add(entry(room), survey(room, room == "shop" ? 2 : 3)) }
    #expect(overview.verdict == "too many devices were moved or removed, so learned levels decide; survey again")
  }

  @Test mutating func `a device that is new since a survey is named`() {
    let line = overview.add(entry("hall"), survey("hall", 1, devices: Array(Site.devices.dropLast())))
    #expect(line.hasSuffix("; desk did not tell then whether they heard the tag, and count less"))
  }

  @Test func `a site without rooms has a verdict of its own`() {
    #expect(SurveyOverview(of: "berlin", devices: []).verdict == "no device of berlin has a room")
  }
}
