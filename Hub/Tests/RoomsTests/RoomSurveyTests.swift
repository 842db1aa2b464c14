import Beacons
import FleetMessages
import Instants
import Rooms
import Testing

struct RoomSurveyTests {
  /// A walk of 100 s in which the devices hear the tag at these levels, once a second.
  static func survey(
    _ room: String, _ levels: [Int32: Int], doors: [String] = [], of tag: BeaconIdentity = Site.tag, seconds: Int = 100,
    devices: [SiteDevice] = Site.devices
  ) -> RoomSurvey {
    let digests = (0...seconds).flatMap { second in
      devices.map { device in
        RoomSurvey.Digest(
          device: device.id, end: Int64(second) * 1000,
          sightings: levels[device.id].map { [FleetSighting(beacon: Site.tag, level: $0, distance: nil, rate: 50, age: 0)] } ?? [])
      }
    }
    return RoomSurvey(room: room, doors: doors, of: tag, during: [0...Int64(seconds) * 1000], digests: digests, devices: devices)
  }

  /// The device in the shop hears all beacons badly.
  private static let surveys = [
    survey("hall", [1: -50, 2: -78, 4: -66]), survey("shop", [1: -62, 2: -66, 4: -70]), survey("attic", [3: -55]),
  ]
  private static let inShop: [Int32: Int] = [1: -62, 2: -66, 4: -70]

  private func site(_ surveys: [RoomSurvey], devices: [SiteDevice] = Site.devices) -> Site {
    var site = Site()
    site.filter = BeaconRoomFilter(devices: devices, surveys: surveys)
    return site
  }

  @Test func `a surveyed site knows a room by the levels of the walk, whatever device is the loudest`() throws {
    var plain = Site()
    plain.hear(Self.inShop, seconds: 20)
    #expect(plain.rooms == ["hall"])
    var surveyed = site(Self.surveys)
    #expect(surveyed.filter.isSurveyed)
    surveyed.hear([1: -50, 2: -78, 4: -66], seconds: 20)
    surveyed.hear(Self.inShop, seconds: 30)
    #expect(surveyed.rooms == ["hall", "shop"])
    #expect(try #require(surveyed.changes.last).explanation.hasPrefix("moved from hall to shop: device 2 hears it at -6"))
  }

  @Test func `a beacon that sends louder than the tag of the survey stays in its room`() {
    var surveyed = site(Self.surveys)
    surveyed.hear([1: -50, 2: -78, 4: -66], seconds: 20)
    for _ in 0..<30 {
      surveyed.hear(Self.inShop.mapValues { $0 + 6 }, seconds: 60)
      surveyed.hear([1: -44, 2: -72, 4: -60], seconds: 60)
    }
    #expect(surveyed.rooms.dropFirst().suffix(20) == (0..<20).map { $0 % 2 == 0 ? "shop" : "hall" }.suffix(20))
  }

  @Test func `surveys count as soon as each room has one that its devices still fit`() {
    #expect(!site(Array(Self.surveys.dropLast())).filter.isSurveyed)
    var moved = Site.devices
    moved[2].room = "cellar"
    #expect(!site(Self.surveys, devices: moved).filter.isSurveyed)
    #expect(!site(Self.surveys + [Self.survey("cellar", [3: -55], devices: Site.devices)], devices: moved).filter.isSurveyed)
    #expect(site(Self.surveys + [Self.survey("cellar", [3: -55], devices: moved)], devices: moved).filter.isSurveyed)
  }

  @Test func `a new device and one that was removed leave a surveyed site surveyed`() {
    var surveyed = site(Self.surveys, devices: Site.devices.dropLast() + [SiteDevice(id: 9, room: "shop", floor: 0)])
    #expect(surveyed.filter.isSurveyed)
    surveyed.hear([1: -62, 2: -66, 9: -40], seconds: 30)
    #expect(surveyed.rooms == ["shop"])
  }

  @Test(arguments: [(doors: ["hall"], rooms: ["hall", "shop"]), (doors: ["attic"], rooms: ["hall"])])
  func `a change between rooms that no door joins needs clearer signs`(doors: [String], rooms: [String]) {
    let surveys = [
      Self.survey("hall", [1: -60, 2: -70], doors: ["attic"] + (doors == ["hall"] ? ["shop"] : [])),
      Self.survey("shop", [1: -72, 2: -70], doors: doors), Self.survey("attic", [3: -55], doors: ["hall"]),
    ]
    var surveyed = site(surveys)
    surveyed.hear([1: -60, 2: -70], seconds: 30)
    surveyed.hear([1: -69, 2: -70], seconds: 60)
    #expect(surveyed.rooms == rooms)
  }

  @Test func `a walk has the levels of its tag after the first seconds`() throws {
    let survey = Self.survey("hall", [1: -50])
    #expect(survey.hearing.map(\.device) == [1] && survey.listeners.count == 4)
    #expect(survey.levelCount == 98 && survey.missingSeconds == 0)
    #expect(survey.listeners[0].samples.first == RoomSurvey.Sample(time: 30, level: -50))
    #expect(survey.listeners[1].samples.first == RoomSurvey.Sample(time: 30, level: nil))
    let other = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 3, minor: 5)
    #expect(Self.survey("hall", [1: -50], of: other).missingSeconds == nil)
  }

  @Test func `a short walk asks for the seconds that are missing`() {
    #expect(Self.survey("hall", [1: -50, 2: -60], seconds: 45).missingSeconds == 15)
    #expect(Self.survey("hall", [1: -50], seconds: 23).missingSeconds == 37)
  }

  @Test func `a full digest without the tag does not say that the device is deaf`() {
    let others = (0..<20).map {
      FleetSighting(
        beacon: BeaconIdentity(uuid: BeaconUUID(high: 9, low: 9), major: 1, minor: $0), level: -50, distance: nil, rate: 9, age: 0)
    }
    let digests = (0...100).map { RoomSurvey.Digest(device: 1, end: Int64($0) * 1000, sightings: others) }
    let survey = RoomSurvey(room: "hall", doors: [], of: Site.tag, during: [0...100_000], digests: digests, devices: Site.devices)
    #expect(survey.listeners.isEmpty)
  }

  @Test func `a survey is the same after its octets are read, and damaged octets are refused`() throws {
    let survey = Self.survey("hall", [1: -50, 2: -78], doors: ["shop", "attic"])
    let octets = survey.octets
    #expect(try RoomSurvey(octets: octets) == survey)
    for count in 0..<octets.count { #expect(throws: RoomStateError.self) { try RoomSurvey(octets: Array(octets.prefix(count))) } }
    #expect(throws: RoomStateError.wrongLength(octets.count + 1)) { try RoomSurvey(octets: octets + [0]) }
    #expect(throws: RoomStateError.unknownVersion(9)) { try RoomSurvey(octets: [9] + octets.dropFirst()) }
  }
}
