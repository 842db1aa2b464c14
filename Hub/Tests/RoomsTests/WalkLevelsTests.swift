import FleetMessages
import Rooms
import Testing

/// Walks with a pause, and the limits of a survey.
struct WalkLevelsTests {
  private static func sightings(_ level: Int, age: Int = 0) -> [FleetSighting] {
    [FleetSighting(beacon: Site.tag, level: level, distance: nil, rate: 50, age: age)]
  }

  /// A walk with a pause in which device 1 hears the tag at a level of 1 dB for each ten seconds, once a second.
  private func walk(_ parts: [ClosedRange<Int64>]) -> WalkLevels {
    var levels = WalkLevels(of: Site.tag, during: parts, devices: Site.devices)
    for second in 0...120 as ClosedRange<Int64> { levels.take(Self.sightings(-90 + Int(second) / 10), from: 1, at: second * 1000) }
    return levels
  }

  @Test func `the wait between two parts of a walk gives no sample, and neither do the first seconds after it`() throws {
    let levels = walk([0...40_000, 60_000...100_000])
    #expect(levels.seconds == 77)
    let survey = levels.survey(of: "hall", doors: [])
    let samples = try #require(survey.listeners.first).samples
    #expect(samples.count == 38 + 38)
    // Seconds 41 to 62 are missing, and the walk goes on without them.
    #expect(samples.map(\.level).contains(-86) && !samples.map(\.level).contains(-85) && samples.map(\.level).contains(-84))
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.time - $0.time <= 10 })
    #expect(samples.first?.time == 30 && samples.last?.time == 770)
    #expect(survey.missingSeconds == 0 && survey.seconds == 77)
    #expect(try RoomSurvey(octets: survey.octets) == survey)
  }

  @Test func `the age of a sighting decides to which part it belongs`() {
    var levels = WalkLevels(of: Site.tag, during: [0...40_000, 60_000...100_000], devices: Site.devices)
    levels.take(Self.sightings(-50, age: 9000), from: 1, at: 66_000)
    #expect(levels.survey(of: "hall", doors: []).listeners.isEmpty)
    levels.take(Self.sightings(-60, age: 9000), from: 1, at: 48_000)
    levels.take(Self.sightings(-70, age: 500), from: 1, at: 64_000)
    #expect(levels.survey(of: "hall", doors: []).listeners.first?.samples.map(\.level) == [-60, -70])
    #expect(levels.survey(of: "hall", doors: []).listeners.first?.samples.map(\.time) == [390, 405])
  }

  @Test func `a part of less than the first seconds counts nothing`() {
    #expect(walk([0...40_000, 60_000...62_000]).seconds == 40)
    #expect(walk([0...40_000, 60_000...62_000, 80_000...90_000]).survey(of: "hall", doors: []).levelCount == 38 + 8)
  }
}
