import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Ranging
import Testing

@testable import Monitoring

@Suite struct LearnedReceiversTests {
  private static func roster(_ octets: UInt8...) throws -> AdapterRoster {
    var roster = AdapterRoster()
    for octet in octets { _ = roster.number(of: try #require(BluetoothAddress("00:00:00:00:00:0\(octet)"))) }
    return roster
  }

  @Test func `learned offsets are forgotten for one adapter or venue, and keep the time when they began otherwise`() throws {
    let file = FakeLearnedFile()
    var learned = LearnedReceivers(file)
    learned.load()
    let roster = try Self.roster(1, 2)
    let radios = [UInt16(0): LearnedRadio(seconds: 60), 1: LearnedRadio(seconds: 60)]
    learned.update(["gallery": radios, "shop": radios], roster, RangingSettings(), at: .init(microseconds: 1))
    learned.update(["gallery": [0: LearnedRadio(seconds: 90)]], roster, RangingSettings(), at: .init(microseconds: 2))
    learned.save()
    #expect(file.stored.count == 4 && file.stored.allSatisfy { $0.since == .init(microseconds: 1) })
    #expect(learned.remove(venue: "shop", adapter: "00:00:00:00:00:02") == 1)
    #expect(learned.remove(venue: "shop", adapter: "00:00:00:00:00:02") == 0)
    #expect(file.stored.map(\.venue) == ["gallery", "gallery", "shop"])
    #expect(learned.remove(venue: "gallery", adapter: nil) == 2 && file.stored.map(\.adapter) == ["00:00:00:00:00:01"])
  }

  @Test func `evidence about misplaced beacons is kept for the next run, and is forgotten with all adapters of the venue`() throws {
    let file = FakeLearnedFile()
    var learned = LearnedReceivers(file)
    learned.load()
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

  @Test func `refused offsets are kept for the next run, and are forgotten with the receiver`() throws {
    let file = FakeLearnedFile()
    var learned = LearnedReceivers(file)
    learned.load()
    let keys = [("gallery", "a"), ("gallery", "b"), ("shop", "a")].map { RefusedOffset.Key(venue: $0, adapter: $1) }
    learned.refuse(keys.map { RefusedOffset($0, offset: 3) })
    learned.refuse([RefusedOffset(keys[0], offset: 4)])
    var next = LearnedReceivers(file)
    next.load()
    #expect(next.refused == [keys[0]: 4, keys[1]: 3, keys[2]: 3])
    _ = next.remove(venue: "gallery", adapter: "a")
    #expect(Set(next.refused.keys) == Set(keys[1...]))
    _ = next.remove(venue: nil, adapter: "a")
    #expect(Set(next.refused.keys) == [keys[1]])
    _ = next.remove(venue: nil, adapter: nil)
    #expect(next.refused.isEmpty)
  }

  @Test func `learned offsets belong to an adapter, whatever its number in the next run`() throws {
    let file = FakeLearnedFile()
    var learned = LearnedReceivers(file)
    learned.load()
    learned.update(["gallery": [1: LearnedRadio(seconds: 60)]], try Self.roster(1, 2), RangingSettings(), at: .init(microseconds: 1))
    learned.save()
    var next = LearnedReceivers(file)
    next.load()
    #expect(next.byNumber(try Self.roster(3), RangingSettings()).isEmpty)
    #expect(next.byNumber(try Self.roster(2, 1), RangingSettings()) == ["gallery": [0: LearnedRadio(seconds: 60)]])
    #expect(next.takeMissing(try Self.roster(2, 1), RangingSettings()).isEmpty)
  }

  @Test(arguments: [
    (ConfiguredLevel(), ConfiguredLevel(offset: 8)), (ConfiguredLevel(offset: 6), ConfiguredLevel()),
    (ConfiguredLevel(), ConfiguredLevel(isCalibrated: true)), (ConfiguredLevel(offset: 2, isCalibrated: true), ConfiguredLevel(offset: 2)),
  ])
  func `an adapter forgets what it learned when its configured level changes, for it or for all adapters`(
    before: ConfiguredLevel, after: ConfiguredLevel
  ) throws {
    for isForAll in [true, false] {
      func ranging(_ level: ConfiguredLevel) -> RangingSettings {
        if isForAll { return RangingSettings(rssiOffset: level.offset, isCalibrated: level.isCalibrated) }
        var ranging = RangingSettings(adapterOffsets: [0: level.offset])
        if level.isCalibrated { ranging.calibratedAdapters = [0] }
        return ranging
      }
      let (file, roster) = (FakeLearnedFile(), try Self.roster(1))
      var learned = LearnedReceivers(file)
      learned.load()
      learned.update(["gallery": [0: LearnedRadio(seconds: 60)]], roster, ranging(before), at: .init(microseconds: 1))
      learned.save()
      var next = LearnedReceivers(file)
      next.load()
      #expect(next.byNumber(roster, ranging(after)).isEmpty && next.byNumber(roster, ranging(before)).count == 1)
      next.update(["gallery": [0: LearnedRadio(seconds: 5)]], roster, ranging(after), at: .init(microseconds: 2))
      #expect(next.all.map(\.level) == [after] && next.all.map(\.since) == [.init(microseconds: 2)])
    }
  }

  @Test func `a file that can be read only later is not replaced meanwhile, and the longer time counts`() throws {
    let hours = LearnedReceiver(venue: "gallery", adapter: "00:00:00:00:00:01", radio: LearnedRadio(seconds: 7200))
    let other = LearnedReceiver(venue: "shop", adapter: "00:00:00:00:00:01", radio: LearnedRadio(seconds: 5))
    let short = PlacementEvidence(transmitter: "1", plan: "", seconds: 1, sums: [])
    let long = PlacementEvidence(transmitter: "1", plan: "", seconds: 900, sums: [])
    let file = FakeLearnedFile([hours, other])
    file.placements = ["gallery": [long]]
    file.isReadable = false
    var learned = LearnedReceivers(file)
    let (roster, ranging) = (try Self.roster(1), RangingSettings())
    let isLoadedAtOnce = learned.load()
    #expect(!isLoadedAtOnce)
    learned.update(["gallery": [0: LearnedRadio(seconds: 60)], "shop": [0: LearnedRadio(seconds: 60)]], roster, ranging, at: nil)
    learned.update(["gallery": [short]])
    learned.save()
    #expect(file.stored == [hours, other] && file.placements == ["gallery": [long]])
    file.isReadable = true
    let loads = [learned.load(), learned.load()]
    #expect(loads == [true, false])
    #expect(learned.all.map(\.radio.seconds) == [7200, 60] && learned.placements == ["gallery": [long]])
    // Until the tracker continues the hours, its minutes do not replace them.
    learned.update(["gallery": [0: LearnedRadio(seconds: 61)]], roster, ranging, at: nil)
    #expect(learned.all.first?.radio.seconds == 7200)
    let missing = learned.takeMissing(roster, ranging)
    #expect(missing.map(\.radio.seconds) == [7200])
    learned.update(["gallery": [0: LearnedRadio(seconds: 7201)]], roster, ranging, at: nil)
    learned.save()
    #expect(file.stored.map(\.radio.seconds) == [7201, 60])
  }

  @Test func `an adapter that appears during a visit continues its stored offsets, and minutes do not replace them`() throws {
    let stored = LearnedReceiver(venue: "gallery", adapter: "00:00:00:00:00:02", radio: LearnedRadio(seconds: 7200))
    var learned = LearnedReceivers(FakeLearnedFile([stored]))
    learned.load()
    let ranging = RangingSettings()
    #expect(learned.byNumber(try Self.roster(1), ranging).isEmpty)
    let both = try Self.roster(1, 2)
    learned.update(["gallery": [1: LearnedRadio(seconds: 60)]], both, ranging, at: nil)
    #expect(learned.all == [stored])
    #expect(learned.takeMissing(both, ranging) == [.init(venue: "gallery", adapter: 1, radio: stored.radio)])
    // Evidence against the declared level counts more than any time.
    learned.update(["gallery": [1: LearnedRadio(seconds: 0, isDistrusted: true)]], both, ranging, at: nil)
    #expect(learned.all.first?.radio.isDistrusted == true)
  }

  @Test func `an update replaces the offsets of its adapter and keeps those of others`() throws {
    let other = LearnedReceiver(venue: "shop", adapter: "00:00:00:00:00:01", radio: LearnedRadio(seconds: 5))
    let file = FakeLearnedFile([other, LearnedReceiver(venue: "gallery", adapter: "00:00:00:00:00:01", radio: LearnedRadio(seconds: 10))])
    var learned = LearnedReceivers(file)
    learned.load()
    learned.update(["gallery": [0: LearnedRadio(seconds: 70)]], try Self.roster(1), RangingSettings(), at: .init(microseconds: 1))
    learned.save()
    #expect(file.stored.map(\.radio.seconds) == [70, 5] && file.stored.contains(other))
  }
}
