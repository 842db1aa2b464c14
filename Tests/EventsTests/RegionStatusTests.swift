import Beacons
import Events
import Testing

@Suite struct RegionStatusTests {
  @Test func `a region of beacons has their constraint, and no other region has one`() {
    let uuid = BeaconUUID(high: 1, low: 2)
    var region = RegionStatus()
    #expect(region.constraint == nil)
    region.uuid = uuid
    #expect(region.constraint == BeaconConstraint(uuid: uuid))
    (region.major, region.minor) = (3, 4)
    #expect(region.constraint == BeaconConstraint(uuid: uuid, major: 3, minor: 4))
    region.major = nil
    #expect(region.constraint == nil)
  }
}
