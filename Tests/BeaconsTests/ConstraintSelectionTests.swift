import Testing

@testable import Beacons

@Suite struct ConstraintSelectionTests {
  private let first = BeaconUUID(high: 1, low: 1)
  private let second = BeaconUUID(high: 2, low: 2)

  @Test func `a constraint contains the narrower ones of its UUID`() {
    let (uuid, major, one) = (
      BeaconConstraint(uuid: first), BeaconConstraint(uuid: first, major: 1), BeaconConstraint(uuid: first, major: 1, minor: 2)
    )
    #expect(uuid.contains(major) && uuid.contains(one) && major.contains(one) && one.contains(one))
    #expect(!one.contains(major) && !major.contains(uuid) && !uuid.contains(BeaconConstraint(uuid: second)))
    #expect(!major.contains(BeaconConstraint(uuid: first, major: 3, minor: 2)))
  }

  @Test func `constraints within others are left out, in either order`() {
    let (wide, narrow) = (BeaconConstraint(uuid: first, major: 1), BeaconConstraint(uuid: first, major: 1, minor: 2))
    let other = BeaconConstraint(uuid: second, major: 1, minor: 2)
    #expect(BeaconConstraint.widest(of: [wide, narrow, other, narrow], limit: 16) == [wide, other])
    #expect(BeaconConstraint.widest(of: [narrow, other, wide], limit: 16) == [other, wide])
    #expect(BeaconConstraint.widest(of: [], limit: 16) == [])
  }

  @Test func `more constraints than the limit become their UUIDs`() {
    let many = (UInt16(0)..<17).map { minor -> BeaconConstraint in
      BeaconConstraint(uuid: minor < 9 ? first : second, major: 1, minor: minor)
    }
    #expect(BeaconConstraint.widest(of: many, limit: 16) == [BeaconConstraint(uuid: first), BeaconConstraint(uuid: second)])
    #expect(BeaconConstraint.widest(of: Array(many.prefix(16)), limit: 16).count == 16)
  }

  @Test func `the beacons of regions and of plans become as many constraints as a session ranges`() {
    func planned(_ count: UInt16) -> [BeaconIdentity] { (0..<count).map { BeaconIdentity(uuid: second, major: 1, minor: $0) } }
    let region = BeaconConstraint(uuid: first, major: 1)
    let few = BeaconConstraint.ranged(regions: [region], planned: planned(15))
    #expect(few == [region] + (UInt16(0)..<15).map { BeaconConstraint(uuid: second, major: 1, minor: $0) })
    #expect(
      BeaconConstraint.ranged(regions: [region], planned: planned(16)) == [BeaconConstraint(uuid: first), BeaconConstraint(uuid: second)])
    let wide = BeaconConstraint(uuid: second)
    #expect(BeaconConstraint.ranged(regions: [wide], planned: planned(20)) == [wide])
    #expect(BeaconConstraint.ranged(regions: [], planned: []) == [])
  }
}
