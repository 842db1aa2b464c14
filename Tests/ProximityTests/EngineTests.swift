import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Records
import Regions
import TestSupport
import Testing

@Suite struct EngineTests {
  @Test func `every UUID has a region of its own on request`() {
    var venue = Venue(settings: EngineSettings(watchesEveryUUID: true))
    venue.hear(1, uuid: BeaconUUID(high: 0, low: 1))
    venue.hear(2, uuid: BeaconUUID(high: 0, low: 2))
    #expect(
      venue.log == [
        "1.0 00000000-0000-0000-0000-000000000001 enter inside sighting", "2.0 00000000-0000-0000-0000-000000000002 enter inside sighting",
      ])
  }

  @Test func `a flood of identities does not grow the engine, and presence stays correct`() {
    var venue = Venue(Venue.region(), settings: EngineSettings(capacity: 100))
    for index in 0..<20_000 { venue.hear(Double(index) / 100, minor: UInt16(index % 65_536), major: UInt16(index / 65_536)) }
    #expect(venue.engine.beaconCount <= 100)
    venue.pass(to: 1000)
    #expect(venue.log == ["0.0 hall enter inside sighting", "229.99 hall exit outside silence"])
  }

  @Test func `the eviction of a near beacon still permits an exit`() {
    var venue = Venue(Venue.region(within: 3), settings: EngineSettings(capacity: 1))
    venue.hear(from: 0, to: 5, minor: 1, metres: 1)
    venue.hear(from: 5, to: 10, minor: 2, metres: 20)
    #expect(venue.log == ["2.0 hall enter inside approach", "7.0 hall exit outside departure"])
  }

  @Test func `beacons without a request are not stored`() {
    var venue = Venue(Venue.region())
    venue.hear(1, uuid: BeaconUUID(high: 9, low: 9))
    #expect(venue.engine.beaconCount == 0)
  }

  @Test func `beacons are stored as long as a client ranges`() {
    var venue = Venue()
    let constraint = BeaconConstraint(uuid: Venue.uuid)
    venue.engine.startRanging(constraint)
    venue.engine.startRanging(constraint)
    venue.hear(1, minor: 1, metres: 3)
    venue.hear(1, minor: 2, metres: 1)
    venue.hear(1, minor: 3, metres: 2, power: 0)
    #expect(venue.engine.snapshot(of: constraint, at: venue.engine.now).map(\.beacon.minor) == [2, 1, 3])
    venue.engine.stopRanging(constraint)
    #expect(venue.engine.beaconCount == 3)
    venue.engine.stopRanging(constraint)
    #expect(venue.engine.beaconCount == 0)
    venue.engine.stopRanging(constraint)
  }

  @Test func `an unchanged region keeps its state, a removed one has no events, and a new one is unknown`() {
    var venue = Venue(Venue.region("kept"), Venue.region("gone"))
    venue.hear(1)
    venue.engine.replaceRegions(
      with: [.beacon(Venue.region("kept")), .beacon(Venue.region("new", major: 1, minor: 7))], at: Instant(microseconds: 2_000_000))
    #expect(venue.engine.watches.map { "\($0.region.identifier) \($0.state)" } == ["kept inside", "new unknown"])
    venue.hear(3)
    venue.pass(to: 34)
    #expect(
      venue.log == [
        "1.0 kept enter inside sighting", "1.0 gone enter inside sighting", "32.0 new state outside silence",
        "33.0 kept exit outside silence",
      ])
  }

  @Test func `a region with a new exit delay keeps its state`() {
    var venue = Venue(Venue.region(exitDelay: 30))
    venue.hear(1)
    venue.engine.replaceRegions(with: [.beacon(Venue.region(exitDelay: 10))], at: Instant(microseconds: 2_000_000))
    venue.pass(to: 100)
    #expect(venue.log == ["1.0 hall enter inside sighting", "11.0 hall exit outside silence"])
  }

  @Test func `an event contains its reason`() throws {
    var venue = Venue(Venue.region(within: 3))
    for step in 0..<30 {
      venue.engine.ingest(
        Sighting(
          beacon: BeaconIdentity(uuid: Venue.uuid, major: 1, minor: 4), measuredPower: -59, rssi: -65,
          time: Instant(microseconds: 1_581_252_284_779_766 + Int64(step) * 100_000)))
    }
    let events = venue.engine.drainEvents()
    #expect(events.count == 2)  // outside by silence, long before the first sighting
    #expect(
      events.last?.event(adapterName: { "hci\($0)" }).json == """
        {"sequence":2,"event":"enter","region":"hall","kind":"beacon","time":"2020-02-09T12:44:47.079766Z","state":"inside",\
        "beacon":{"uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":1,"minor":4},"rssi":-65.0,"distance":2.84,"accuracy":2.00,\
        "distanceMethod":"bayesian","proximity":"near","reason":{"cause":"approach","lastSeen":"2020-02-09T12:44:47.079766Z","lastSeenAge":0.000,"samples":24,\
        "threshold":3.00,"adapter":"hci0"}}
        """)
  }

  /// Returns a random history of beacons, pauses and losses.
  static func history(seed: UInt64) -> [(seconds: Double, minor: UInt16, metres: Double)] {
    var generator = SeededGenerator(seed: seed)
    var seconds = 0.0
    return (0..<400).map { _ in
      seconds += Double.random(in: 0...1, using: &generator) < 0.02 ? 40 : Double.random(in: 0...0.5, using: &generator)
      return (seconds, UInt16.random(in: 1...4, using: &generator), Double.random(in: 0.3...12, using: &generator))
    }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `the output does not depend on the steps of time`(seed: UInt64) {
    let regions = [Venue.region("all"), Venue.region("near", within: 3), Venue.region("one", major: 1, minor: 1, exitDelay: 2)]
    var plain = Venue(regions[0], regions[1], regions[2])
    var ticking = plain
    for sighting in Self.history(seed: seed) {
      plain.hear(sighting.seconds, minor: sighting.minor, metres: sighting.metres)
      for tick in stride(from: (ticking.engine.now - Instant(microseconds: 0)).seconds, to: sighting.seconds, by: 0.07) {
        ticking.pass(to: tick)
      }
      ticking.hear(sighting.seconds, minor: sighting.minor, metres: sighting.metres)
    }
    #expect(plain.log == ticking.log, "seed \(seed)")
    #expect(plain.log.count > 10, "seed \(seed)")
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `enters and exits of a region alternate`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &+ 1000)
    var venue = Venue(Venue.region("all"), Venue.region("near", within: 3))
    for sighting in Self.history(seed: seed) {
      switch Int.random(in: 0..<60, using: &generator) {
      case 0: venue.reception(.lost, at: sighting.seconds)
      case 1: venue.reception(.paused, at: sighting.seconds)
      case 2...6: venue.reception(.hearing, at: sighting.seconds)
      default: if venue.engine.receivers == .all(.hearing) { venue.hear(sighting.seconds, minor: sighting.minor, metres: sighting.metres) }
      }
    }
    for region in ["all", "near"] {
      let crossings = venue.log.filter { $0.contains(" \(region) ") }.compactMap { line in
        ["enter", "exit"].first { line.contains(" \($0) ") }
      }
      if region == "all" { #expect(!crossings.isEmpty, "seed \(seed)") }
      for (index, crossing) in crossings.enumerated() {
        #expect(crossing == (index % 2 == 0 ? "enter" : "exit"), "seed \(seed), \(region)")
      }
    }
  }
}
