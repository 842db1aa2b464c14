import Instants
import Proximity
import Records
import Regions
import TestSupport
import Testing

@Suite struct LearnedDelayTests {
  static let day = 86_400.0

  func venue(exitDelay: Double = 30, learns: Bool = true) -> Venue {
    Venue(Venue.region(exitDelay: exitDelay, learns: learns))
  }

  @Test func `the learned exit delay is three times the longest gap, in whole seconds`() {
    var venue = venue()
    for time in [0, 10, 10.5, 38.2, 40] { venue.hear(time) }
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(84))
    venue.pass(to: 200)
    #expect(venue.log == ["0.0 hall enter inside sighting", "124.0 hall exit outside silence"])
  }

  @Test func `short gaps keep the configured exit delay`() {
    var venue = venue()
    for time in stride(from: 0.0, through: 150, by: 10) { venue.hear(time) }
    venue.pass(to: 300)
    #expect(venue.log.last == "180.0 hall exit outside silence")
  }

  @Test func `a region with a fixed exit delay learns no gaps`() {
    var venue = venue(learns: false)
    for time in [0, 29, 58] as [Double] { venue.hear(time) }
    venue.pass(to: 300)
    #expect(venue.log.last == "88.0 hall exit outside silence")
  }

  @Test func `a gap that ended in an exit is not learned`() {
    var venue = venue()
    venue.hear(0)
    venue.hear(31)
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(30))
    #expect(venue.log.count == 3)
  }

  @Test func `a learned exit delay is at most eight times the configured one`() {
    var venue = venue()
    var time = 0.0
    for gap in [0, 29, 86, 239] as [Double] {
      time += gap
      venue.hear(time)
    }
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(240))
    venue.pass(to: time + 1000)
    #expect(venue.log == ["0.0 hall enter inside sighting", "\(time + 240) hall exit outside silence"])
  }

  @Test func `a time without hearing is not a gap`() {
    var venue = venue()
    venue.hear(0)
    venue.reception(.paused, at: 10)
    venue.reception(.hearing, at: 100)
    venue.hear(100)
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(30))
    venue.reception(.lost, at: 110)
    venue.reception(.hearing, at: 115)
    venue.hear(120)
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(30))
    venue.reception(.paused, at: 127)
    venue.reception(.hearing, at: 140)
    venue.hear(145)
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(36))
  }

  @Test func `a learned gap expires after one to two days`() {
    var venue = venue()
    venue.hear(0)
    venue.hear(25)
    // The beacon is heard every 10 s until the day after next.
    for time in stride(from: 35, to: Self.day - 20, by: 10) { venue.hear(time) }
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(75))
    for time in stride(from: Self.day - 15, to: 2 * Self.day - 20, by: 10) { venue.hear(time) }
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(75))
    for time in stride(from: 2 * Self.day - 15, to: 2 * Self.day + 60, by: 10) { venue.hear(time) }
    #expect(venue.engine.watch("hall")?.beacon?.exitDelay == .seconds(30))
    venue.pass(to: 2 * Self.day + 100)
    #expect(venue.log.last == "\(2 * Self.day + 85) hall exit outside silence")
  }

  @Test func `a shorter exit delay takes effect in time`() {
    var venue = venue()
    var time = 0.0
    for gap in [0, 29, 57, 113] as [Double] {
      time += gap
      venue.hear(time)
    }
    // The sighting at which the gap expires is the last one: an earlier deadline must not hide the nearer one.
    while venue.engine.watch("hall")?.beacon?.exitDelay != .seconds(30), time < 3 * Self.day {
      time += 7
      venue.hear(time)
    }
    #expect(time > 2 * Self.day && time < 2 * Self.day + 113)
    venue.pass(to: 3 * Self.day)
    #expect(venue.log.last == "\(time + 30) hall exit outside silence")
  }

  @Test func `an exit event contains its exit delay`() throws {
    var venue = venue()
    venue.hear(0)
    venue.hear(25)
    venue.engine.advance(to: Instant(microseconds: 100_000_000))
    let event = try #require(venue.engine.drainEvents().last)
    #expect(event.event()["reason"]?.record?["exitDelay"]?.text == "75s")
  }
}

/// Beacons that never move, heard at 1 Hz with 60 % loss: every exit is false.
///
/// The losses come in bursts of 12 s on average (Gilbert, "Capacity of a Burst-Noise Channel", 1960).
@Suite struct StillBeaconTests {
  static let hearAgain = 1.0 / 12
  static let fallSilent = hearAgain * 0.6 / 0.4

  /// Returns the false exits on each day, of a region that learns and of one that does not.
  static func falseExits(days: Int, seed: UInt64) -> (learned: [Int], fixed: [Int]) {
    var generator = SeededGenerator(seed: seed)
    var venue = Venue(Venue.region("learned", learns: true), Venue.region("fixed"))
    var isHeard = true
    for second in 0..<days * 86_400 {
      if Double.random(in: 0..<1, using: &generator) < (isHeard ? fallSilent : hearAgain) { isHeard.toggle() }
      if isHeard { venue.hear(Double(second)) }
    }
    var exits = (learned: Array(repeating: 0, count: days), fixed: Array(repeating: 0, count: days))
    for line in venue.log where line.contains(" exit ") {
      guard let day = Double(line.prefix { $0 != " " }).map({ min(days - 1, Int($0 / 86_400)) }) else { continue }
      if line.contains("learned") { exits.learned[day] += 1 } else { exits.fixed[day] += 1 }
    }
    return exits
  }

  @Test func `a still beacon has no false exit in thirty days after the first, where thirty seconds have hundreds a day`() {
    let seed: UInt64 = 4
    let exits = Self.falseExits(days: 30, seed: seed)
    #expect(exits.learned.dropFirst().reduce(0, +) == 0, "seed \(seed): \(exits.learned)")
    #expect(exits.fixed.allSatisfy { $0 > 200 }, "seed \(seed): \(exits.fixed)")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `twenty still beacons have no false exits on the day after learning`(seed: UInt64) {
    let exits = Self.falseExits(days: 2, seed: seed)
    #expect(exits.learned[1] == 0, "seed \(seed)")
    #expect(exits.fixed[1] > 200, "seed \(seed)")
  }
}
