import Testing

@testable import Rooms

/// Surveys of sites and of walks of the largest size.
struct SurveyLimitTests {
  /// A device that has reported eight times a second for 20 minutes, every other time with the tag.
  private static func listener(_ device: Int32, mean: Int) -> RoomSurvey.Listener {
    let samples = (0..<9600).map { index in
      RoomSurvey.Sample(time: UInt16(index * 5 / 4), level: index % 2 == 0 ? Int8(mean - 4 + index / 960) : nil)
    }
    return RoomSurvey.Listener(device: device, room: "hall", samples: samples)
  }

  @Test func `fewer samples of a device have the same levels, times and silence`() throws {
    let all = Self.listener(1, mean: -60)
    let kept = RoomSurvey(room: "hall", seconds: 1200, listeners: [all]).limited.listeners[0]
    #expect(kept.samples.count == RoomSurvey.mostSamples)
    #expect(abs(kept.mean - all.mean) < 2, "\(kept.mean) instead of \(all.mean)")
    let share = Double(kept.samples.count { $0.level == nil }) / Double(kept.samples.count)
    #expect(abs(share - 0.5) < 0.06, "\(share)")
    for level in -64...(-55) as ClosedRange<Int8> {
      let count = kept.samples.count { $0.level == level }
      #expect((19...29).contains(count), "\(count) samples of \(level) dBm")
    }
    #expect(zip(kept.samples, kept.samples.dropFirst()).allSatisfy { (1...50).contains($1.time - $0.time) })
  }

  @Test func `a survey of a huge site keeps the devices that heard the tag best`() throws {
    let survey = RoomSurvey(room: "hall", seconds: 1200, listeners: (1...400).map { Self.listener($0, mean: -40 - Int($0) / 8) })
    let limited = survey.limited
    #expect(limited.listeners.map(\.device) == Array(1...256))
    #expect(limited.listeners.map(\.samples.count) == Array(repeating: 480, count: 48) + Array(repeating: 16, count: 208))
    #expect(limited.limited == limited)
    #expect(limited.octets.count < 90_000)
    #expect(try RoomSurvey(octets: limited.octets) == limited)
  }

  @Test func `a stored survey with too many samples is read with fewer, and one with too many octets is refused`() throws {
    let survey = RoomSurvey(room: "hall", seconds: 1200, listeners: (1...20).map { Self.listener($0, mean: -60) })
    #expect(try RoomSurvey(octets: survey.octets) == survey.limited)
    let huge = RoomSurvey(room: "hall", seconds: 1200, listeners: (1...37).map { Self.listener($0, mean: -60) })
    #expect(throws: RoomStateError.wrongLength(huge.octets.count)) { try RoomSurvey(octets: huge.octets) }
  }

  @Test func `a usual walk loses no sample`() {
    let survey = RoomSurveyTests.survey("hall", [1: -50, 2: -78], seconds: 300)
    #expect(survey.limited == survey && survey.levelCount == 2 * 298)
  }
}
