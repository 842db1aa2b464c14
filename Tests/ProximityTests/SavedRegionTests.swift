import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions
import TestSupport
import Testing

/// The end of a process and the start of the next. The wall clock of these tests is 1,000,000 s ahead of the engine's.
@Suite struct SavedRegionTests {
  static func wall(_ instant: Instant) -> Instant { instant + .seconds(1_000_000) }

  /// Returns an engine of another boot, whose clock is at `start` when the first engine's would be at `time`.
  func restarted(_ venue: Venue, _ region: BeaconRegion, at time: Double, start: Double = 7, outage: Double? = 5) throws -> Venue {
    let saved = try #require(venue.engine.saved(region.identifier, wallClock: Self.wall))
    var next = Venue(region)
    next.engine.start(at: Instant(microseconds: 0) + .seconds(start))
    next.restore([saved], after: outage, at: start) { $0 - .seconds(1_000_000 + time - start) }
    return next
  }

  @Test func `a visitor who stayed over a restart does not enter again`() throws {
    var venue = Venue(Venue.region())
    venue.hear(3)
    var next = try restarted(venue, Venue.region(), at: 20)
    #expect(next.engine.watch("hall")?.state == .unknown)
    next.hear(10)
    #expect(next.log == ["10.0 hall state inside sighting"])
  }

  @Test func `a visitor who left during a restart exits once, one exit delay after hearing starts`() throws {
    var venue = Venue(Venue.region())
    venue.hear(3)
    var next = try restarted(venue, Venue.region(), at: 20)
    next.reception(.lost, at: 7)
    next.reception(.hearing, at: 12)
    next.pass(to: 500)
    #expect(next.log == ["42.0 hall exit outside silence"])
  }

  @Test func `an exit after a restart still contains the beacon and its last sighting`() throws {
    var venue = Venue(Venue.region())
    venue.hear(3, minor: 9, metres: 2)
    var next = try restarted(venue, Venue.region(), at: 20)
    next.engine.advance(to: Instant(microseconds: 500_000_000))
    let evidence = try #require(next.engine.drainEvents().last?.transition.evidence)
    #expect(evidence.beacon.minor == 9)
    #expect(evidence.lastSeen == Instant(microseconds: -10_000_000))  // 17 s before the restart at 7 s
  }

  @Test func `a region that was outside before a restart and stays silent has no event`() throws {
    var venue = Venue(Venue.region())
    venue.pass(to: 40)
    var next = try restarted(venue, Venue.region(), at: 50)
    next.pass(to: 100)
    next.hear(101)
    #expect(next.log == ["37.0 hall state outside silence", "101.0 hall enter inside sighting"])
  }

  @Test func `after a long outage a visitor has exited, and a sighting is a new visit`() throws {
    var venue = Venue(Venue.region())
    venue.hear(3)
    var next = try restarted(venue, Venue.region(), at: 2000, outage: 901)
    next.hear(8)
    #expect(next.log == ["7.0 hall exit outside outage", "8.0 hall enter inside sighting"])
  }

  @Test(arguments: [nil, 900] as [Double?])
  func `an outage of unknown length, or one at the limit, counts as short`(outage: Double?) throws {
    var venue = Venue(Venue.region())
    venue.hear(3)
    var next = try restarted(venue, Venue.region(), at: 903, outage: outage)
    next.hear(8)
    #expect(next.log == ["8.0 hall state inside sighting"])
  }

  @Test func `a learned delay is restored, and expires in its time`() throws {
    var venue = Venue(Venue.region(learns: true))
    venue.hear(0)
    venue.hear(28)
    var next = try restarted(venue, Venue.region(learns: true), at: 40, start: 0)
    next.hear(1)
    #expect(next.engine.watch("hall")?.beacon?.exitDelay == .seconds(84))
    for time in stride(from: 1.0, to: 2 * 86_400 - 60, by: 10) { next.hear(time) }
    #expect(next.engine.watch("hall")?.beacon?.exitDelay == .seconds(84))
    for time in stride(from: 2 * 86_400 - 60.0, to: 2 * 86_400, by: 10) { next.hear(time) }
    #expect(next.engine.watch("hall")?.beacon?.exitDelay == .seconds(30))
  }

  @Test func `a wall clock that was set back by years does not extend a learned delay`() throws {
    var venue = Venue(Venue.region(learns: true))
    venue.hear(0)
    venue.hear(28)
    let saved = try #require(venue.engine.saved("hall") { $0 + .seconds(1e9) })
    var next = Venue(Venue.region(learns: true))
    next.restore([saved], after: nil, at: 0) { $0 }
    #expect(next.engine.watch("hall")?.beacon?.exitDelay == .seconds(84))
    #expect(next.engine.watch("hall")?.beacon?.lastSatisfied?.lastSeen == Instant(microseconds: 0))
    for time in stride(from: 1.0, through: 2 * 86_400 + 60, by: 10) { next.hear(time) }
    #expect(next.engine.watch("hall")?.beacon?.exitDelay == .seconds(30))
  }

  @Test func `a dwell continues after a restart`() throws {
    let region = Venue.region(dwell: 60)
    var venue = Venue(region)
    venue.hear(0)
    venue.hear(20)
    var next = try restarted(venue, region, at: 25)  // 40 s remain
    next.hear(17)
    next.hear(40)
    #expect(next.log == ["17.0 hall state inside sighting"])
    next.hear(57)
    #expect(next.log.last == "57.0 hall dwell inside stay")
  }

  @Test func `a removed region is not restored, and one with other beacons restores only its state`() throws {
    var venue = Venue(Venue.region(major: 1))
    venue.hear(0)
    #expect(try restarted(venue, Venue.region(major: 2), at: 5).engine.watch("hall")?.beacon?.lastSatisfied == nil)
    var next = try restarted(venue, Venue.region(major: 2), at: 5)
    next.hear(8, major: 2)
    #expect(next.log == ["8.0 hall state inside sighting"])
    let saved = try #require(venue.engine.saved("hall", wallClock: Self.wall))
    var other = Venue(Venue.region("yard"))
    other.restore([saved], after: 0, at: 1) { $0 }
    #expect(other.log.isEmpty)
  }

  @Test func `every field survives being saved twice`() throws {
    var venue = Venue(Venue.region(within: 3, dwell: 100))
    venue.hear(from: 0, to: 5, metres: 1)
    let saved = try #require(venue.engine.saved("hall", wallClock: Self.wall))
    #expect(saved.state == .inside && saved.remembered == .inside)
    #expect(saved.since == Instant(microseconds: 1_000_002_000_000))
    #expect(saved.lastSatisfied?.lastSeen == Instant(microseconds: 1_000_004_900_000))
    let evidence = try #require(saved.lastSatisfied)
    let copy = BeaconEvidence(
      beacon: evidence.beacon, measuredPower: evidence.measuredPower, proximity: evidence.proximity, lastSeen: evidence.lastSeen,
      rssi: evidence.rssi, samples: evidence.samples ?? 0, distance: evidence.estimate?.distance, method: .bayesian)
    #expect(copy.rssi == evidence.rssi && copy.samples == evidence.samples)
    #expect(copy.estimate?.distance == evidence.estimate?.distance && copy.estimate?.method == .bayesian)
    #expect(copy.adapter == nil && copy.estimate?.accuracy == nil)
  }

  /// Restarts at random instants, with the states saved just before.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func `enters and exits alternate across restarts`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var venue = Venue(Venue.region(exitDelay: 5, dwell: 8))
    var log: [String] = []
    var now = 0.0
    for _ in 0..<400 {
      now += Double.random(in: 0.1...4, using: &generator)
      switch Int.random(in: 0..<20, using: &generator) {
      case 0:
        let outage = Double.random(in: 0...1800, using: &generator)
        guard let saved = venue.engine.saved("hall", wallClock: Self.wall) else { continue }
        log += venue.log
        venue = Venue(Venue.region(exitDelay: 5, dwell: 8))
        venue.engine.start(at: Instant(microseconds: 0) + .seconds(now))
        venue.restore([saved], after: outage, at: now) { $0 - .seconds(1_000_000) }
      case 1: venue.reception(.lost, at: now)
      case 2...4: venue.reception(.hearing, at: now)
      case 5...14: if venue.engine.receivers == .all(.hearing) { venue.hear(now) }
      default: venue.pass(to: now)
      }
    }
    log += venue.log
    let crossings = log.compactMap { line in ["enter", "exit"].first { line.contains(" \($0) ") } }
    #expect(crossings.count > 10, "seed \(seed)")
    for (index, crossing) in crossings.enumerated() { #expect(crossing == (index % 2 == 0 ? "enter" : "exit"), "seed \(seed)") }
  }
}
