import BeaconAdvertising
import Testing

@Suite struct IBeaconOctetsTests {
  @Test func `the octets of an advertised iBeacon follow Apple's specification`() throws {
    let identity = BeaconIdentity(uuid: try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d"), major: 1, minor: 5)
    #expect(BeaconPayload(identity: identity, measuredPower: -59).payload == Array(Octets.iBeacon().dropFirst(4)))
  }
}
