import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Testing

@Suite struct BeaconTrackTests {
  let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 5)

  func track(power: Int8 = -59, rssi: [Int8?], settings: RangingSettings = RangingSettings()) -> BeaconTrack {
    var track = BeaconTrack(beacon, settings: settings, at: Instant(microseconds: 0))
    for (index, rssi) in rssi.enumerated() {
      track.hear(Sighting(beacon: beacon, measuredPower: power, rssi: rssi, time: Instant(microseconds: Int64(index) * 100_000)))
    }
    return track
  }

  @Test(arguments: [0, -3, 100, -128] as [Int8])
  func `an implausible measured power gives presence without a distance`(power: Int8) {
    let track = track(power: power, rssi: [-60, -60])
    #expect(track.distance == nil)
    #expect(track.proximity == .unknown)
    #expect(track.filter?.level == -60)
  }

  @Test func `a beacon without any RSSI has no distance`() {
    let track = track(rssi: [nil, nil])
    #expect(track.distance == nil)
    #expect(track.filter == nil)
  }

  @Test func `a sighting without RSSI leaves the level unchanged`() {
    #expect(track(rssi: [-60, nil, nil]).filter?.level == -60)
  }

  @Test func `the venue's and the beacon's offsets add up`() throws {
    let settings = RangingSettings(rssiOffset: -14, beaconOffsets: [beacon: -6])
    #expect(abs(try #require(track(rssi: [-59], settings: settings).distance).metres - 10) < 1e-9)
  }

  @Test func `a beacon becomes unknown after 5 seconds and is gone after 10`() throws {
    let track = track(rssi: [-59], settings: RangingSettings(method: .plain))
    let fresh = try #require(RangedBeacon(track, at: Instant(microseconds: 4_999_999)))
    #expect(fresh.distance == 1 && fresh.distanceMethod == .plain)
    let stale = try #require(RangedBeacon(track, at: Instant(microseconds: 5_000_000)))
    #expect(
      stale.distance == nil && stale.accuracy == nil && stale.distanceMethod == nil && stale.rssi == nil && stale.proximity == .unknown)
    #expect(RangedBeacon(track, at: Instant(microseconds: 10_000_000)) == nil)
  }

  @Test func `the rate is the number of sightings per second`() throws {
    var track = BeaconTrack(beacon, settings: RangingSettings(), at: Instant(microseconds: 0))
    for tenth in 0..<125 {
      track.hear(Sighting(beacon: beacon, measuredPower: -59, rssi: -60, time: Instant(microseconds: Int64(tenth) * 100_000)))
    }
    #expect(abs(try #require(RangedBeacon(track, at: Instant(microseconds: 12_450_000))).rate - 10) < 0.3)
  }

  /// Returns the track of a beacon that each adapter hears once a second, half a second apart.
  func track(seconds: Int, first: Int8?, second: Int8?, settings: RangingSettings = RangingSettings()) -> BeaconTrack {
    var track = BeaconTrack(beacon, settings: settings, at: Instant(microseconds: 0))
    for half in 0..<2 * seconds {
      guard let rssi = half % 2 == 0 ? first : second else { continue }
      track.hear(
        Sighting(
          beacon: beacon, measuredPower: -59, rssi: rssi, adapter: UInt16(half % 2), time: Instant(microseconds: Int64(half) * 500_000)))
    }
    return track
  }

  @Test func `the adapter with the stronger signal gives the distance, and signals are not mixed`() throws {
    let track = track(seconds: 20, first: -79, second: -59)
    #expect(track.adapter == 1)
    #expect(track.filter?.level == -59)
    #expect(abs(try #require(track.distance).metres - 1) < 1e-9)
  }

  @Test func `an adapter without sightings for five seconds no longer counts`() {
    var track = track(seconds: 20, first: -79, second: -59)
    for second in 20..<30 {
      track.hear(
        Sighting(beacon: beacon, measuredPower: -59, rssi: -79, adapter: 0, time: Instant(microseconds: Int64(second) * 1_000_000)))
    }
    #expect(track.adapter == 0)
    #expect(track.filter?.level == -79)
  }

  @Test func `an adapter's offset is added before adapters are compared`() throws {
    let settings = RangingSettings(adapterOffsets: [0: 25])
    let track = track(seconds: 20, first: -79, second: -59, settings: settings)
    #expect(track.adapter == 0)
    #expect(track.filter?.level == -54)
    #expect(abs(try #require(track.distance).metres - 0.5623) < 1e-3)
  }

  @Test func `an adapter's offset, the venue's and the beacon's add up`() throws {
    let settings = RangingSettings(rssiOffset: -14, beaconOffsets: [beacon: -8], adapterOffsets: [0: 2])
    #expect(abs(try #require(track(rssi: [-59], settings: settings).distance).metres - 10) < 1e-9)
  }
}
