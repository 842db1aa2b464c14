import Testing

@testable import Rooms

/// Stored surveys that are damaged, and walks that are too short.
struct SurveyedFilterTests {
  @Test(arguments: [UInt16(1001), 1066, .max])
  func `a stored sample after the end of the walk is damage`(time: UInt16) {
    let listener = RoomSurvey.Listener(device: 1, room: "hall", samples: [RoomSurvey.Sample(time: time, level: -60)])
    let survey = RoomSurvey(room: "hall", seconds: 100, listeners: [listener])
    #expect(throws: RoomStateError.self) { try RoomSurvey(octets: survey.octets) }
    // No survey ends the process, wherever it comes from.
    #expect(!BeaconRoomFilter(devices: Site.devices, surveys: [survey]).isSurveyed)
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
