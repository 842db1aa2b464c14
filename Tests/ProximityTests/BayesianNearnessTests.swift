import BeaconAdvertising
import Beacons
import Instants
import Proximity
import Ranging
import Regions
import Testing

/// Regions with `within` and no `hold`, by the Bayesian method.
@Suite struct BayesianNearnessTests {
  let plain = EngineSettings(ranging: RangingSettings(method: .plain))

  @Test func `the third sighting within the distance enters, and three seconds beyond it leave`() throws {
    var venue = Venue(Venue.region(within: 3, hold: nil))
    venue.hear(from: 0, to: 10, metres: 1)
    #expect(venue.log == ["0.2 hall enter inside approach"])
    venue.hear(from: 10, to: 30, metres: 40)
    let exit = try #require(venue.log.last)
    #expect(exit.hasSuffix("hall exit outside departure"))
    let time = try #require(Double(exit.prefix { $0 != " " }))
    #expect(time > 13 && time < 16.5)
  }

  @Test func `two seconds of a weak signal do not leave`() {
    var venue = Venue(Venue.region(within: 3, hold: nil))
    venue.hear(from: 0, to: 20, metres: 1)
    venue.hear(from: 20, to: 22.5, metres: 40)
    venue.hear(from: 22.5, to: 40, metres: 1)
    #expect(venue.log == ["0.2 hall enter inside approach"])
  }

  @Test func `a beacon that was heard before enters with the first sighting within the distance`() throws {
    var venue = Venue(Venue.region(within: 3, hold: nil))
    venue.hear(from: 0, to: 10, metres: 5)
    #expect(venue.log.isEmpty)
    venue.hear(from: 10, to: 20, metres: 1)
    let level = try #require(venue.engine.watch("hall")?.beacon?.lastSatisfied?.estimate).distance.metres
    #expect(venue.log.count == 1 && level < 3)
    let time = try #require(venue.log.first.flatMap { Double($0.prefix { $0 != " " }) })
    #expect(time > 10.5 && time < 13)
  }

  @Test func `by path loss alone, two seconds within the distance enter, and two seconds beyond leave`() throws {
    var venue = Venue(Venue.region(within: 3, hold: nil), settings: plain)
    venue.hear(from: 0, to: 10, metres: 1)
    #expect(venue.log == ["2.0 hall enter inside approach"])
  }

  @Test func `a distance of 2.7 m is within 3 m by path loss alone, but not with the prior`() {
    // 2.7 m by path loss alone is 3.4 m with the prior.
    var venue = Venue(Venue.region(within: 3, hold: nil))
    venue.hear(from: 0, to: 60, metres: 2.7)
    #expect(venue.log == ["30.0 hall state outside silence"])
    var old = Venue(Venue.region(within: 3, hold: nil), settings: plain)
    old.hear(from: 0, to: 60, metres: 2.7)
    #expect(old.log == ["2.0 hall enter inside approach"])
  }

  @Test(arguments: [(0.5, -52), (1, -58), (1.9, -63)] as [(Double, Int8)])
  func `the prior does not decide about distances below 2 m`(within: Double, rssi: Int8) throws {
    var venue = Venue(Venue.region(within: within, hold: nil))
    for step in 0..<40 { venue.hear(Double(step) / 10, rssi: rssi) }
    #expect(venue.log == ["2.0 hall enter inside approach"])
    let evidence = try #require(venue.engine.watch("hall")?.beacon?.lastSatisfied?.estimate)
    #expect(evidence.method == .plain && evidence.distance.metres <= within, "the event shows the distance that decided")
  }

  @Test func `nested zones around one beacon are entered from the outermost to the innermost, and left in reverse`() {
    let zones = [("room", 6.0), ("table", 2.5), ("touch", 0.5)]
    var venue = Venue()
    for (name, within) in zones { venue.engine.add(.beacon(Venue.region(name, within: within, hold: nil)), at: Instant(microseconds: 0)) }
    let path: [(Double, Double)] = [(0, 12), (20, 3.5), (40, 1.2), (60, 0.3), (80, 1.2), (100, 3.5), (120, 20)]
    for (start, metres) in path { venue.hear(from: start, to: start + 20, metres: metres) }
    let crossings = venue.log.filter { !$0.contains(" state ") }.map {
      $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")
    }
    #expect(crossings == ["room enter", "table enter", "touch enter", "touch exit", "table exit", "room exit"])
  }
}

/// Regions that only the nearest beacon enters.
@Suite struct NearestOnlyTests {
  static func desk(_ minor: UInt16, within: Double = 3, nearestOnly: Bool = true) -> BeaconRegion {
    Venue.region("desk \(minor)", major: 1, minor: minor, within: within, hold: nil, nearestOnly: nearestOnly)
  }

  /// Hears beacons at their distances, ten times a second.
  private func hear(_ venue: inout Venue, from start: Double, to end: Double, _ metres: [UInt16: Double]) {
    for step in 0..<Int(((end - start) * 10).rounded()) {
      for (minor, distance) in metres.sorted(by: { $0.key < $1.key }) {
        venue.hear(start + Double(step) / 10, minor: minor, metres: distance)
      }
    }
  }

  private func crossings(_ venue: Venue) -> [String] {
    venue.log.filter { !$0.contains(" state ") }
      .map { $0.split(separator: " ").dropFirst().prefix { $0 != "inside" && $0 != "outside" }.joined(separator: " ") }
  }

  @Test func `a beacon within the distance does not enter while another is clearly nearer`() {
    var venue = Venue(Self.desk(1), Self.desk(2))
    hear(&venue, from: 0, to: 20, [1: 1.9, 2: 0.8])
    #expect(crossings(venue) == ["desk 2 enter"])
    var open = Venue(Self.desk(1, nearestOnly: false), Self.desk(2, nearestOnly: false))
    hear(&open, from: 0, to: 20, [1: 1.9, 2: 0.8])
    #expect(Set(crossings(open)) == ["desk 1 enter", "desk 2 enter"])
  }

  @Test func `the beacon enters once it is the nearest, and stays inside when it is not any more`() {
    var venue = Venue(Self.desk(1), Self.desk(2))
    hear(&venue, from: 0, to: 20, [1: 1.9, 2: 0.8])
    hear(&venue, from: 20, to: 40, [1: 0.8, 2: 1.9])
    #expect(crossings(venue) == ["desk 2 enter", "desk 1 enter"])
  }

  @Test func `two tags at one counter both enter their regions`() {
    var venue = Venue(Self.desk(1), Self.desk(2))
    hear(&venue, from: 0, to: 20, [1: 1.1, 2: 1.2])
    #expect(Set(crossings(venue)) == ["desk 1 enter", "desk 2 enter"])
  }

  @Test func `two tags of one region do not compete`() {
    var venue = Venue(Venue.region("counter", major: 1, within: 3, hold: nil, nearestOnly: true), Self.desk(9))
    hear(&venue, from: 0, to: 20, [1: 1.9, 2: 0.8])
    #expect(crossings(venue) == ["counter enter"])
  }

  @Test func `zones around one beacon do not compete`() {
    var venue = Venue(
      Venue.region("room", major: 1, minor: 1, within: 6, hold: nil, nearestOnly: true),
      Venue.region("touch", major: 1, minor: 1, within: 0.5, hold: nil, nearestOnly: true))
    hear(&venue, from: 0, to: 20, [1: 0.3])
    #expect(Set(crossings(venue)) == ["room enter", "touch enter"])
  }

  @Test func `a beacon that has been silent for five seconds does not compete`() {
    var venue = Venue(Self.desk(1), Self.desk(2, nearestOnly: false))
    hear(&venue, from: 0, to: 5, [2: 0.8])
    hear(&venue, from: 5.1, to: 9, [1: 1.9])
    #expect(crossings(venue) == ["desk 2 enter"])
    hear(&venue, from: 9, to: 11, [1: 1.9])
    #expect(crossings(venue) == ["desk 2 enter", "desk 1 enter"])
  }

  @Test func `a beacon that no region has does not compete, even while a client ranges it`() {
    var venue = Venue(Self.desk(1))
    venue.engine.startRanging(BeaconConstraint(uuid: Venue.uuid))
    hear(&venue, from: 0, to: 5, [1: 1.9, 2: 0.5])
    #expect(crossings(venue) == ["desk 1 enter"])
  }

  @Test func `a beacon of a region of another owner does not compete`() {
    var venue = Venue(Self.desk(1))
    let other = BeaconRegion(
      identifier: "all", owner: .session(1), constraint: BeaconConstraint(uuid: Venue.uuid),
      nearness: BeaconRegion.Nearness(within: 3, isNearestOnly: true))
    venue.engine.add(.beacon(other), at: Instant(microseconds: 0))
    hear(&venue, from: 0, to: 5, [1: 1.9, 2: 0.5])
    #expect(Set(crossings(venue)) == ["desk 1 enter", "all enter"])
  }

  @Test func `no beacon competes after the last region that requires the nearest one is replaced`() {
    var venue = Venue(Self.desk(1), Self.desk(2))
    venue.engine.add(.beacon(Self.desk(1, nearestOnly: false)), at: Instant(microseconds: 0))
    hear(&venue, from: 0, to: 5, [1: 1.9, 2: 0.5])
    #expect(Set(crossings(venue)) == ["desk 1 enter", "desk 2 enter"])
  }
}
