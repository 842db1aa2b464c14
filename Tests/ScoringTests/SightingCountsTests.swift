import BeaconAdvertising
import Beacons
import Instants
import Testing

@testable import Scoring

@Suite struct SightingCountsTests {
  private static func beacon(_ minor: UInt16) -> BeaconIdentity {
    BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: minor)
  }

  private static func sightings(_ minors: UInt16...) -> [Sighting] {
    minors.map { Sighting(beacon: beacon($0), measuredPower: -59, rssi: -70, time: Instant(microseconds: 0)) }
  }

  @Test func `the beacons with the most sightings come first, and those with equally many in the order of their identities`() {
    var counts = SightingCounts()
    counts.add(Self.sightings(4, 2, 3))
    counts.add(Self.sightings(3, 1))
    #expect(counts.beaconCount == 4)
    #expect(counts.beacons(most: 3) == [3, 1, 2].map(Self.beacon))
    #expect(counts.beacons(most: 9).count == 4)
  }

  @Test func `beacons beyond the limit do not count, and sightings of known ones do`() {
    var counts = SightingCounts(limit: 2)
    counts.add(Self.sightings(1, 2, 3, 3, 3, 2))
    #expect(counts.beaconCount == 2 && counts.beacons(most: 9) == [2, 1].map(Self.beacon))
  }
}
