import BeaconAdvertising
import Testing

@Suite struct ManufacturerDataTests {
  private static let iBeacon = Array(Octets.iBeacon().dropFirst(4))

  @Test func `manufacturer data with iBeacon content is an iBeacon`() throws {
    let data = ManufacturerData(company: 0x004C, payload: Self.iBeacon)
    let beacon = try #require(data.beacon)
    #expect("\(beacon.identity)" == "8ec76ea3-6668-48da-9866-75be8bc86f4d/1/5")
    #expect(beacon.measuredPower == -59)
    #expect(data.kind == .iBeacon)
  }

  @Test func `an AltBeacon of any company has an identity`() throws {
    let payload = Array(Octets.altBeacon().dropFirst(4))
    for company in [0x0118, 0x0059, 0x004C] as [UInt16] {
      let data = ManufacturerData(company: company, payload: payload)
      let beacon = try #require(data.beacon)
      #expect("\(beacon.identity)" == "8ec76ea3-6668-48da-9866-75be8bc86f4d/1/5")
      #expect(beacon.measuredPower == -59 && beacon.format == .altBeacon)
      #expect(data.kind == .altBeacon && data.malformed == nil)
    }
  }

  @Test(
    arguments: [
      (0x004C, Array(iBeacon.dropLast()), AdvertisementKind.malformed), (0x004C, iBeacon + [0], .malformed),
      (0x004C, [0x10, 0x05], .apple),
      (0x004C, [], .apple), (0x0059, iBeacon, .manufacturer),
      (0x004C, Array(repeating: 2, count: 1000), .malformed),
    ] as [(UInt16, [UInt8], AdvertisementKind)])
  func `other manufacturer data has the same kind as in an advertisement`(company: UInt16, payload: [UInt8], kind: AdvertisementKind) {
    let data = ManufacturerData(company: company, payload: payload)
    #expect(data.beacon == nil)
    #expect(data.kind == kind)
  }
}
