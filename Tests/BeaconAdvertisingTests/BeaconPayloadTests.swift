import BeaconAdvertising
import Beacons
import Testing

@Suite struct BeaconPayloadTests {
  @Test func `the octets of an advertised iBeacon follow Apple's specification`() throws {
    let identity = BeaconIdentity(uuid: try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d"), major: 1, minor: 5)
    #expect(BeaconPayload(identity: identity, measuredPower: -59).structure == Octets.iBeacon())
  }

  @Test func `an AltBeacon keeps identity, measured power and format when a recording encodes it again`() throws {
    let data = Octets.altBeacon()
    let beacon = try #require(ManufacturerData(company: 0x0118, payload: Array(data.dropFirst(4))).beacon)
    let makerOctet = 1
    #expect(beacon.structure == data.dropLast(makerOctet) + [0])
    #expect(ManufacturerData(company: beacon.company, payload: beacon.payload).beacon == beacon)
  }
}
