import BeaconAdvertising
import Beacons
import Instants
import Records
import TestSupport
import Testing

@Suite struct CaptureFixtureTests {
  @Test(
    arguments: [
      ("mixed-10k.btsnoop", "mixed-10k.json"), ("mixed-10k.monitor.btsnoop", "mixed-10k.json"), ("multi-400.btsnoop", "multi-400.json"),
    ])
  func `exactly the iBeacons of the generator's truth are accepted`(capture: String, truth: String) throws {
    let truth = try Fixture.text(truth)
    let decoded = decode(capture: try Fixture.octets(capture))
    #expect(decoded.error == nil)
    #expect(String(decoded.counts.packets) == (try Fixture.member("packets", of: truth)))
    #expect(String(decoded.counts.iBeacons) == (try Fixture.member("ibeacon_strict", of: truth)))
    let iBeacons = decoded.sightings.filter { $0.format == .iBeacon }
    let sum = iBeacons.reduce(0 as UInt64) { $0 &+ $1.checksum }
    let altBeaconCount = decoded.sightings.count - iBeacons.count
    #expect(String(altBeaconCount) == (try Fixture.member("altbeacon", of: truth)))
    #expect(String(sum, radix: 16) == (try Fixture.member("checksum", of: truth)))
  }

  /// The capture contains 1016 broken iBeacons, of eight kinds.
  ///
  /// In the order of the generator: 117 structures run past the data, 111 wrong length octets, 124 one octet short, 125 early ends,
  /// 152 wrong companies. Then 135 lengths far too large, 131 flags that swallow all, 121 reports too long.
  @Test(arguments: ["mixed-10k.btsnoop", "mixed-10k.monitor.btsnoop"])
  func `all other advertisements are counted by kind and by reason`(capture: String) throws {
    let counts = decode(capture: try Fixture.octets(capture)).counts
    #expect(counts.malformed[.structureOverrun] == 117 + 135 + 131)
    #expect(counts.malformed[.iBeaconLength] == 111 + 124)
    #expect(counts.malformed[.reportOverrun] == 121)
    #expect(counts.malformed.total == 739)
    #expect(counts.kinds[.iBeacon] == 2990)
    #expect(counts.kinds[.eddystone] == 937)
    #expect(counts.kinds[.apple] == 1988)
    #expect(counts.kinds[.altBeacon] == 510)
    #expect(counts.kinds[.manufacturer] == 152)
    #expect(counts.kinds[.other] + counts.droppedFragments == 2559 + 125)
    #expect(counts.kinds[.malformed] == 618)
    #expect(counts.reports == 10_000 - 121)
  }

  /// The truth's times are rounded and the capture's are truncated, so they may differ by a microsecond.
  @Test func `the walk has a sighting for every row of its truth, at the same time`() throws {
    let decoded = decode(capture: try Fixture.octets("gallery-rectangular_without_rotation.btsnoop"))
    let rows = try Fixture.text("gallery-rectangular_without_rotation.truth.csv").split(separator: "\n").dropFirst()
    let truth = rows.compactMap { row in Int64(row.prefix { $0 != "," }.filter { $0 != "." }) }
    #expect(decoded.sightings.count == rows.count)
    #expect(zip(decoded.sightings, truth).allSatisfy { abs($0.time.microseconds - $1) <= 1 })
  }

  @Test(arguments: [("gallery-straight_01.btsnoop", 1365), ("gallery-rectangular_without_rotation.btsnoop", 1949)])
  func `the walk contains the twelve beacons of the gallery and no others`(walk: String, reports: Int) throws {
    let decoded = decode(capture: try Fixture.octets(walk))
    #expect(decoded.sightings.count == reports)
    #expect(Set(decoded.minors) == Set(1...12))
    #expect(decoded.sightings.allSatisfy { $0.measuredPower == -59 && $0.beacon.major == 1 && $0.rssi != nil })
    #expect(decoded.counts.malformed.total == 0)
  }
}

extension Sighting {
  /// The checksum of the generator: over the octets as sent, in little-endian words.
  fileprivate var checksum: UInt64 {
    let uuid = beacon.uuid.high.byteSwapped ^ beacon.uuid.low.byteSwapped &* 0x9E37_79B9_7F4A_7C15
    let numbers = UInt64(beacon.minor.byteSwapped) << 16 | UInt64(beacon.major.byteSwapped)
    var word = uuid ^ numbers << 16 ^ UInt64(UInt8(bitPattern: measuredPower)) << 8 ^ UInt64(UInt8(bitPattern: rssi ?? 127))
    word = (word ^ word >> 33) &* 0xFF51_AFD7_ED55_8CCD
    word = (word ^ word >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return word ^ word >> 33
  }
}
