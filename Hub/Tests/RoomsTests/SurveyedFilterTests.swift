import Testing

@testable import Rooms

/// Stored surveys that are damaged, and places that outlast a filter.
struct SurveyedFilterTests {
  private static let surveys = [
    RoomSurveyTests.survey("hall", [1: -50, 2: -78, 4: -66]), RoomSurveyTests.survey("shop", [1: -62, 2: -66, 4: -70]),
    RoomSurveyTests.survey("attic", [3: -55]),
  ]

  private static func taught(_ filter: RoomFilter) -> Float {
    filter.site.places?.rooms.reduce(0) { $0 + $1.counts.sum() } ?? -1
  }

  @Test func `a filter continues with the corrections of the one before, if devices and surveys are the same`() {
    var site = Site()
    site.filter = RoomFilter(devices: Site.devices, surveys: Self.surveys)
    // A site learns nothing in its first hour.
    for _ in 0..<60 {
      site.hear([1: -50, 2: -78, 4: -66], seconds: 60)
      site.hear([1: -62, 2: -66, 4: -70], seconds: 60)
    }
    let former = site.filter.surveyed
    #expect(Self.taught(site.filter) > 0)
    let next = RoomFilter(devices: Site.devices, surveys: Self.surveys, former: former)
    #expect(Self.taught(next) == Self.taught(site.filter))
    let walkedAgain = Self.surveys.dropLast() + [RoomSurveyTests.survey("attic", [3: -60])]
    #expect(Self.taught(RoomFilter(devices: Site.devices, surveys: Array(walkedAgain), former: former)) == 0)
    var devices = Site.devices
    devices[1].room = "attic"
    #expect(Self.taught(RoomFilter(devices: devices, surveys: Self.surveys, former: former)) != Self.taught(site.filter))
  }

  @Test(arguments: [UInt16(1001), 1066, .max])
  func `a stored sample after the end of the walk is damage`(time: UInt16) {
    let listener = RoomSurvey.Listener(device: 1, room: "hall", samples: [RoomSurvey.Sample(time: time, level: -60)])
    let survey = RoomSurvey(room: "hall", seconds: 100, listeners: [listener])
    #expect(throws: RoomStateError.self) { try RoomSurvey(octets: survey.octets) }
    // No survey ends the process, wherever it comes from.
    #expect(!RoomFilter(devices: Site.devices, surveys: [survey]).isSurveyed)
    #expect(SurveyedRoomLevels(survey, devices: [DeviceRecord(device: Site.devices[0], room: 0)]).room != nil)
  }

  @Test func `a stored level that no receiver reports is damage`() {
    let listener = RoomSurvey.Listener(device: 1, room: "hall", samples: [RoomSurvey.Sample(time: 100, level: 127)])
    #expect(throws: RoomStateError.self) { try RoomSurvey(octets: RoomSurvey(room: "hall", seconds: 100, listeners: [listener]).octets) }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a walk of a moment has no levels`(seconds: Int) {
    #expect(RoomSurveyTests.survey("hall", [1: -50], seconds: seconds).levelCount <= 1)
  }

  @Test func `a tag that is heard once a minute is heard too rarely for a survey`() {
    let listener = RoomSurvey.Listener(device: 1, room: "hall", samples: [RoomSurvey.Sample(time: 100, level: -60)])
    #expect(RoomSurvey(room: "hall", seconds: 60, listeners: [listener]).isHeardTooRarely)
    #expect(!RoomSurveyTests.survey("hall", [1: -50], seconds: 30).isHeardTooRarely)
  }

  @Test func `of a device that never heard the tag, one sample is kept`() throws {
    let survey = RoomSurveyTests.survey("hall", [1: -50])
    let deaf = try #require(survey.listeners.first { $0.device == 3 })
    #expect(deaf.samples.count == 1 && deaf.samples[0].level == nil)
  }
}
