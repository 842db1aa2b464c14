import Testing

@testable import HCI

/// The octets are those of doc/mgmt-api.txt of BlueZ.
@Suite struct ManagementRequestTests {
  @Test(
    arguments: [
      (.setPowered(true), 0x05, 0x01), (.setPowered(false), 0x05, 0x00), (.stopDiscovery(.lowEnergy), 0x24, 0x06),
      (.stopDiscovery(.interleaved), 0x24, 0x07),
    ] as [(ManagementRequest, UInt8, UInt8)])
  func `a request names the adapter and has one octet of parameter`(request: ManagementRequest, code: UInt8, parameter: UInt8) {
    #expect(request.octets(adapter: 0x0102) == [code, 0x00, 0x02, 0x01, 0x01, 0x00, parameter])
  }

  @Test func `Command Complete with the settings means success`() {
    let packet: [UInt8] = [0x01, 0x00, 0x02, 0x00, 0x07, 0x00, 0x05, 0x00, 0x00, 0x81, 0x02, 0x00, 0x00]
    #expect(ManagementRequest.setPowered(true).answer(in: packet, adapter: 2) == .done)
  }

  @Test(
    arguments: [(0x14, .permissionDenied), (0x12, .blocked), (0x11, .noAdapter), (0x0A, .failed), (0x03, .failed)]
      as [(UInt8, ManagementRequest.Refusal)])
  func `Command Status contains the reason for a refusal`(status: UInt8, refusal: ManagementRequest.Refusal) {
    let packet: [UInt8] = [0x02, 0x00, 0x02, 0x00, 0x03, 0x00, 0x05, 0x00, status]
    #expect(ManagementRequest.setPowered(true).answer(in: packet, adapter: 2) == .refused(refusal))
  }

  @Test(
    arguments: [
      [], [0x02, 0x00, 0x02, 0x00, 0x02, 0x00, 0x05, 0x00], [0x02, 0x00, 0x03, 0x00, 0x03, 0x00, 0x05, 0x00, 0x00],
      [0x02, 0x00, 0x02, 0x00, 0x03, 0x00, 0x06, 0x00, 0x00], [0x06, 0x00, 0x02, 0x00, 0x04, 0x00, 0x05, 0x00, 0x00, 0x00],
    ] as [[UInt8]])
  func `a truncated answer, and one for another adapter or command, is ignored`(packet: [UInt8]) {
    #expect(ManagementRequest.setPowered(true).answer(in: packet, adapter: 2) == nil)
  }
}
