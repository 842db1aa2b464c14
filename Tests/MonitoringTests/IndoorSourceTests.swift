import BeaconAdvertising
import Beacons
import Geodesy
import IndoorPositioning
import Instants
import LocationArbitration
import Locations
import Positioning
import Testing
import Venues

@testable import IndoorPositioning
@testable import Monitoring
@testable import Proximity

@Suite struct IndoorSourceTests {
  /// A source at 100 s of its clock, and its reports.
  private final class Scene {
    let source: IndoorSource
    var switches: [Bool] = []
    var fixes: [Location] = []
    var states: [LocationHealth.State] = []

    init() {
      source = IndoorSource(StoppedClock())
      source.onSwitch = { [unowned self] in switches.append($0) }
      source.onLocation = { [unowned self] in fixes.append($0) }
      source.onHealthChange = { [unowned self] in states.append($0.state) }
    }

    func take(_ absence: IndoorAbsence?, latitude: Double? = 48, age: Double = 0) {
      let estimate = IndoorEstimate(
        level: 2, levelProbability: 1, point: PlanPoint(x: 1, y: 2), radius: 1, accuracy: 2.5, heard: 7, levelDeviation: 0)
      let output = IndoorOutput(time: .at(0), estimate: absence == nil ? estimate : nil, absence: absence)
      let coordinate = latitude.flatMap { Coordinate(latitude: $0, longitude: 11) }
      source.take(IndoorPosition(venue: "gallery", coordinate: absence == nil ? coordinate : nil, output: output), age: .seconds(age))
    }
  }

  private final class StoppedClock: LocationClock {
    let now = Instant.at(100)
    let speed = 4.0
    func wallClock(_ instant: Instant) -> Instant { instant }
  }

  @Test func `a source that is on is away until the device is in a venue, and away again outside`() throws {
    let scene = Scene()
    scene.source.start(for: .best)
    scene.take(.outside)
    scene.take(nil, age: 0.5)
    scene.take(.outside)
    #expect(scene.states == [.away, .fixing, .away] && scene.switches == [true])
    let fix = try #require(scene.fixes.first)
    #expect(scene.fixes.count == 1 && fix.floor == 2 && fix.horizontalAccuracy == 2.5 && fix.source == .indoor)
    // The age is on the same clock, whatever the speed of the recording.
    #expect(fix.measured == .at(99.5))
  }

  @Test(arguments: [
    (IndoorAbsence.tooFewTransmitters, "fewer than 4 beacons"), (.inaccurate, "more inaccurate than 8 m"), (.inconsistent, "does not fit"),
    (.uncertainLevel, "floor is uncertain"),
  ])
  func `a position that is missing in a venue makes the source silent, with the reason`(absence: IndoorAbsence, reason: String) {
    let scene = Scene()
    scene.source.start(for: .best)
    scene.take(absence)
    #expect(scene.source.health.state == .silent && scene.source.health.reason?.contains(reason) == true)
    #expect(scene.fixes.isEmpty)
  }

  @Test func `a venue without a location on the earth makes the source silent, with the remedy`() {
    let scene = Scene()
    scene.source.start(for: .best)
    scene.take(nil, latitude: nil)
    #expect(scene.source.health.state == .silent && scene.source.health.reason?.contains("[frame]") == true)
  }

  @Test func `a source that is off delivers nothing`() {
    let scene = Scene()
    scene.take(nil)
    scene.source.start(for: .best)
    scene.source.stop()
    scene.take(nil)
    #expect(scene.fixes.isEmpty && scene.states == [.away, .off] && scene.switches == [true, false])
  }

  // MARK: Learned offsets

  private final class FakeFile: LearnedFile {
    var stored: [LearnedReceiver]
    init(_ stored: [LearnedReceiver] = []) { self.stored = stored }
    func load() -> [LearnedReceiver] { stored }
    func save(_ receivers: [LearnedReceiver]) { stored = receivers }
    var placements: [String: [PlacementEvidence]] = [:]
    func loadPlacements() -> [String: [PlacementEvidence]] { placements }
    func save(_ placements: [String: [PlacementEvidence]]) { self.placements = placements }
    func remove(venue: String?, adapter: String?) {
      stored.removeAll { (venue == nil || $0.venue == venue) && (adapter == nil || $0.adapter == adapter) }
    }
  }

  private static func roster(_ octets: UInt8...) throws -> AdapterRoster {
    var roster = AdapterRoster()
    for octet in octets { _ = roster.number(of: try #require(BluetoothAddress("00:00:00:00:00:0\(octet)"))) }
    return roster
  }

  @Test func `learned offsets are forgotten for one adapter or venue, and keep the time when they began otherwise`() throws {
    let file = FakeFile()
    var learned = LearnedReceivers(file)
    let roster = try Self.roster(1, 2)
    let radios = [UInt16(0): LearnedRadio(seconds: 60), 1: LearnedRadio(seconds: 60)]
    learned.update(["gallery": radios, "shop": radios], roster, at: .init(microseconds: 1))
    learned.update(["gallery": [0: LearnedRadio(seconds: 90)]], roster, at: .init(microseconds: 2))
    learned.save()
    #expect(file.stored.count == 4 && file.stored.allSatisfy { $0.since == .init(microseconds: 1) })
    #expect(learned.remove(venue: "shop", adapter: "00:00:00:00:00:02") == 1)
    #expect(learned.remove(venue: "shop", adapter: "00:00:00:00:00:02") == 0)
    #expect(file.stored.map(\.venue) == ["gallery", "gallery", "shop"])
    #expect(learned.remove(venue: "gallery", adapter: nil) == 2 && file.stored.map(\.adapter) == ["00:00:00:00:00:01"])
  }

  @Test func `evidence about misplaced beacons is kept for the next run, and is forgotten with all adapters of the venue`() throws {
    let file = FakeFile()
    var learned = LearnedReceivers(file)
    let evidence = [PlacementEvidence(transmitter: "1", plan: "", seconds: 1, sums: [])]
    learned.update(["gallery": evidence, "shop": evidence, "park": []])
    learned.save()
    var next = LearnedReceivers(file)
    next.load()
    #expect(next.placements == ["gallery": evidence, "shop": evidence])
    _ = next.remove(venue: "gallery", adapter: "00:00:00:00:00:01")
    #expect(next.placements.count == 2)
    _ = next.remove(venue: "gallery", adapter: nil)
    #expect(next.placements.keys.sorted() == ["shop"])
  }

  @Test func `learned offsets belong to an adapter, whatever its number in the next run`() throws {
    let file = FakeFile()
    var learned = LearnedReceivers(file)
    learned.update(["gallery": [1: LearnedRadio(seconds: 60)]], try Self.roster(1, 2), at: .init(microseconds: 1))
    learned.save()
    var next = LearnedReceivers(file)
    next.load()
    #expect(next.byNumber(try Self.roster(2, 1)) == ["gallery": [0: LearnedRadio(seconds: 60)]])
    #expect(next.byNumber(try Self.roster(3)).isEmpty)
    #expect(next.hasMore(than: ["gallery": [:]], try Self.roster(2)))
    #expect(!next.hasMore(than: ["gallery": [0: LearnedRadio(seconds: 90)]], try Self.roster(2)))
    #expect(!next.hasMore(than: [:], try Self.roster(2)))
  }

  @Test func `an adapter forgets what it learned when its configured offset changes`() throws {
    let file = FakeFile()
    var learned = LearnedReceivers(file)
    let address = try #require(BluetoothAddress("00:00:00:00:00:01"))
    func roster(_ offset: Double) -> AdapterRoster {
      var roster = AdapterRoster([AdapterSettings(address: address, rssiOffset: offset)])
      _ = roster.number(of: address)
      return roster
    }
    learned.update(["gallery": [0: LearnedRadio(seconds: 60)]], roster(0), at: .init(microseconds: 1))
    learned.save()
    var next = LearnedReceivers(file)
    next.load()
    #expect(next.byNumber(roster(0)).count == 1 && next.byNumber(roster(8)).isEmpty)
    next.update(["gallery": [0: LearnedRadio(seconds: 5)]], roster(8), at: .init(microseconds: 2))
    #expect(next.all.map(\.rssiOffset) == [8] && next.all.map(\.since) == [.init(microseconds: 2)])
  }

  @Test func `an update replaces the offsets of its adapter and keeps those of others`() throws {
    let other = LearnedReceiver(venue: "shop", adapter: "00:00:00:00:00:01", radio: LearnedRadio(seconds: 5))
    let file = FakeFile([other, LearnedReceiver(venue: "gallery", adapter: "00:00:00:00:00:01", radio: LearnedRadio(seconds: 10))])
    var learned = LearnedReceivers(file)
    learned.load()
    learned.update(["gallery": [0: LearnedRadio(seconds: 70)]], try Self.roster(1), at: .init(microseconds: 1))
    learned.save()
    #expect(file.stored.map(\.radio.seconds) == [70, 5] && file.stored.contains(other))
  }
}
