import BeaconAdvertising
import Beacons
import Events
import Instants
import Proximity
import Ranging
import Regions
import Testing

/// Regions with `within` whose beacons a venue places, by hand: probabilities once a second beside sightings.
@Suite struct LocatedRegionTests {
  /// Hears beacons ten times a second, and locates those with a probability at the start of each second.
  ///
  /// - Parameters:
  ///   - rssi: by minor.
  ///   - located: by minor, the distance and the probability to be closer than a distance in metres.
  private func pass(
    _ venue: inout Venue, _ seconds: ClosedRange<Int>, rssi: [UInt16: Int8],
    _ located: [UInt16: (metres: Double, share: (Double) -> Double)]
  ) {
    for second in seconds {
      let beacons = located.sorted { $0.key < $1.key }.map {
        LocatedBeacon(BeaconIdentity(uuid: Venue.uuid, major: 1, minor: $0.key), metres: $0.value.metres, deviation: 0.3)
      }
      venue.engine.ingest(beacons, at: .seconds(Double(second))) { number, metres in
        located[beacons[number].beacon.minor]?.share(metres) ?? 0
      }
      for tenth in 0..<10 {
        for (minor, rssi) in rssi.sorted(by: { $0.key < $1.key }) {
          venue.hear(Double(second) + Double(tenth) / 10, rssi: rssi, minor: minor)
        }
      }
    }
  }

  private func crossings(_ venue: Venue) -> [String] {
    venue.log.filter { !$0.contains(" state ") }.map {
      $0.split(separator: " ").prefix(while: { $0 != "inside" && $0 != "outside" }).joined(separator: " ")
    }
  }

  /// A certain distance.
  private func at(_ metres: Double) -> (metres: Double, share: (Double) -> Double) { (metres, { metres < $0 ? 1 : 0 }) }

  @Test func `the position enters a region although the signal is weak, and leaves it although the signal is strong`() throws {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: 3, hold: nil))
    pass(&venue, 0...0, rssi: [1: -85], [:])
    pass(&venue, 1...5, rssi: [1: -85], [1: (2, { _ in 0.87 })])
    #expect(crossings(venue) == ["1.0 hall enter"])
    pass(&venue, 6...10, rssi: [1: -50], [1: (9, { _ in 0.1 })])
    #expect(crossings(venue) == ["1.0 hall enter", "6.0 hall exit"])
  }

  @Test func `the event shows the probability, and the distance by the position`() throws {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: 3, hold: nil))
    venue.hear(0, rssi: -85)
    let beacon = LocatedBeacon(BeaconIdentity(uuid: Venue.uuid, major: 1, minor: 1), metres: 2, deviation: 0.3)
    venue.engine.ingest([beacon], at: .seconds(1)) { _, _ in 0.87 }
    let event = try #require(venue.engine.drainEvents().first?.event())
    #expect(event.kind == .enter && event.reason.cause == .approach && event.reason.threshold == 3)
    #expect(event.reason.probability == 0.87 && event.distanceMethod == .indoor)
    #expect(abs(try #require(event.distance) - 2) < 1e-6)
    #expect(abs(try #require(event.accuracy) - 0.65) < 0.05)
    #expect(event.rssi == -85)
  }

  @Test func `less than half of the probability leaves after two seconds, and hardly any leaves at once`() {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: 3, hold: nil))
    pass(&venue, 0...0, rssi: [1: -88], [:])
    pass(&venue, 1...3, rssi: [1: -88], [1: (2, { _ in 0.6 })])
    pass(&venue, 4...5, rssi: [1: -88], [1: (4, { _ in 0.4 })])
    pass(&venue, 6...6, rssi: [1: -88], [1: (4, { _ in 0.5 })])
    pass(&venue, 7...9, rssi: [1: -88], [1: (4, { _ in 0.4 })])
    #expect(crossings(venue) == ["1.0 hall enter", "9.0 hall exit"])
    pass(&venue, 10...12, rssi: [1: -88], [1: (2, { _ in 0.6 })])
    pass(&venue, 13...13, rssi: [1: -88], [1: (8, { _ in 0.2 })])
    #expect(crossings(venue).suffix(2) == ["10.0 hall enter", "13.0 hall exit"])
  }

  @Test func `a configured hold applies to an enter and an exit by position`() {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: 3, hold: 4))
    pass(&venue, 0...0, rssi: [1: -88], [:])
    pass(&venue, 1...9, rssi: [1: -88], [1: at(1)])
    pass(&venue, 10...20, rssi: [1: -88], [1: at(9)])
    #expect(crossings(venue) == ["5.0 hall enter", "14.0 hall exit"])
  }

  @Test func `a gap in the position of up to five seconds changes nothing, and afterwards the signal decides`() throws {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: 3, hold: nil))
    pass(&venue, 0...0, rssi: [1: -90], [:])
    pass(&venue, 1...10, rssi: [1: -90], [1: at(1)])
    pass(&venue, 11...15, rssi: [1: -90], [:])
    #expect(crossings(venue) == ["1.0 hall enter"])
    pass(&venue, 16...30, rssi: [1: -90], [:])
    let exit = try #require(crossings(venue).last)
    #expect(exit == "19.0 hall exit")
  }

  @Test func `an adapter that hears nothing leaves the region by silence, as without a venue`() {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: 3, hold: nil))
    pass(&venue, 0...0, rssi: [1: -88], [:])
    pass(&venue, 1...10, rssi: [1: -88], [1: at(1)])
    venue.pass(to: 60)
    #expect(crossings(venue) == ["1.0 hall enter", "40.9 hall exit"])
  }

  @Test func `two tags at one counter both enter their regions`() {
    var venue = Venue(NearestOnlyTests.desk(1), NearestOnlyTests.desk(2))
    pass(&venue, 0...0, rssi: [1: -70, 2: -75], [:])
    pass(&venue, 1...5, rssi: [1: -70, 2: -75], [1: at(1.5), 2: at(1.7)])
    #expect(crossings(venue) == ["1.0 desk 1 enter", "1.0 desk 2 enter"])
  }

  @Test func `a region that only the nearest beacon enters waits while another is clearly nearer`() {
    var venue = Venue(NearestOnlyTests.desk(1), NearestOnlyTests.desk(2, nearestOnly: false))
    pass(&venue, 0...0, rssi: [1: -70, 2: -75], [:])
    pass(&venue, 1...5, rssi: [1: -70, 2: -75], [1: at(2.5), 2: at(1)])
    #expect(crossings(venue) == ["1.0 desk 2 enter"])
    pass(&venue, 6...9, rssi: [1: -70, 2: -75], [1: at(1), 2: at(2.5)])
    #expect(crossings(venue) == ["1.0 desk 2 enter", "6.0 desk 1 enter"])
  }

  @Test func `nested zones around one beacon are entered from the outermost to the innermost, and left in reverse`() {
    var venue = Venue()
    for (name, within) in [("hall", 8.0), ("room", 5), ("table", 2)] {
      venue.engine.add(.beacon(Venue.region(name, major: 1, minor: 1, within: within, hold: nil)), at: .seconds(0))
    }
    pass(&venue, 0...0, rssi: [1: -98], [:])
    var second = 1
    for metres in [20.0, 7, 4, 1, 4, 9, 20] {
      pass(&venue, second...(second + 4), rssi: [1: -98], [1: at(metres)])
      second += 5
    }
    let names = crossings(venue).map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
    #expect(names == ["hall enter", "room enter", "table enter", "table exit", "room exit", "hall exit"])
  }

  @Test(arguments: [0.5, 1.9]) func `a region at touch distance follows the signal, which is better there`(within: Double) {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: within, hold: nil))
    pass(&venue, 0...4, rssi: [1: -75], [1: at(0.1)])
    #expect(crossings(venue).isEmpty)
    pass(&venue, 5...20, rssi: [1: -45], [1: at(3)])
    #expect(crossings(venue).count == 1 && crossings(venue)[0].hasSuffix("hall enter"))
  }

  @Test func `the best of several beacons decides, and one without a known place follows its signal`() {
    var venue = Venue(Venue.region(major: 1, within: 3, hold: nil))
    pass(&venue, 0...0, rssi: [1: -75, 2: -75, 9: -90], [:])
    pass(&venue, 1...3, rssi: [1: -75, 2: -75, 9: -90], [1: at(8), 2: at(2)])
    #expect(crossings(venue) == ["1.0 hall enter"])
    // The position is far from both planned beacons, and the third beacon is close.
    pass(&venue, 4...10, rssi: [1: -75, 2: -75, 9: -55], [1: at(8), 2: at(4)])
    pass(&venue, 11...20, rssi: [1: -75, 2: -75, 9: -55], [1: at(8), 2: at(9)])
    #expect(crossings(venue) == ["1.0 hall enter"])
    pass(&venue, 21...40, rssi: [1: -75, 2: -75, 9: -90], [1: at(8), 2: at(9)])
    #expect(crossings(venue).count == 2 && crossings(venue)[1].hasSuffix("hall exit"))
  }

  @Test func `a region that requires an RSSI follows the signal`() {
    var venue = Venue(Venue.region(major: 1, minor: 1, within: 3, hold: nil, minimumRSSI: -80))
    pass(&venue, 0...5, rssi: [1: -85], [1: at(1)])
    #expect(crossings(venue).isEmpty)
  }

  @Test func `the method "plain" follows the signal`() {
    var venue = Venue(
      Venue.region(major: 1, minor: 1, within: 3, hold: nil), settings: EngineSettings(ranging: RangingSettings(method: .plain)))
    pass(&venue, 0...5, rssi: [1: -85], [1: at(1)])
    #expect(crossings(venue).isEmpty)
  }

  @Test func `the learned offset of a beacon changes its distance, but not its band`() throws {
    var venue = Venue(Venue.region(major: 1, minor: 1))
    venue.engine.startRanging(BeaconConstraint(uuid: Venue.uuid))
    for tenth in 0..<50 { venue.hear(Double(tenth) / 10, rssi: -75) }
    let beacon = BeaconIdentity(uuid: Venue.uuid, major: 1, minor: 1)
    func ranged() throws -> RangedBeacon {
      try #require(venue.engine.snapshot(of: BeaconConstraint(uuid: Venue.uuid), at: .seconds(5)).first)
    }
    let before = try ranged()
    // The beacon is 6 dB weaker than it advertises, so that it is half as far as it seems.
    venue.engine.learn([
      beacon: [LearnedReception(adapter: 0, offset: -6, model: PathLossModel(), referencePower: nil)]
    ])
    let after = try ranged()
    #expect(try #require(after.distance) < 0.75 * (try #require(before.distance)))
    #expect(after.proximity == before.proximity && after.distanceMethod == .bayesian)
    venue.engine.learn([beacon: [LearnedReception(adapter: 1, offset: -6, model: PathLossModel(), referencePower: nil)]])
    #expect(try ranged().distance == before.distance, "another adapter's offsets do not apply")
    let evidence = try #require(venue.engine.watch("hall")?.beacon?.lastSatisfied?.estimate)
    #expect(abs(try #require(before.distance) - evidence.distance.metres) < 1e-5)
  }
}
