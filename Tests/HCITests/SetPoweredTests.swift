import Testing

@testable import HCI

/// The octets are those of doc/mgmt-api.txt of BlueZ.
@Suite struct SetPoweredTests {
  @Test(arguments: [(.on, 0x01), (.off, 0x00)] as [(SetPowered.Power, UInt8)])
  func `the request names the adapter and says on or off`(power: SetPowered.Power, octet: UInt8) {
    #expect(SetPowered.request(power, adapter: 0x0102) == [0x05, 0x00, 0x02, 0x01, 0x01, 0x00, octet])
  }

  @Test func `Command Complete with the settings means that it is done`() {
    let packet: [UInt8] = [0x01, 0x00, 0x02, 0x00, 0x07, 0x00, 0x05, 0x00, 0x00, 0x81, 0x02, 0x00, 0x00]
    #expect(SetPowered.answer(in: packet, adapter: 2) == .done)
  }

  @Test(
    arguments: [(0x14, .permissionDenied), (0x12, .blocked), (0x11, .noAdapter), (0x0A, .failed), (0x03, .failed)]
      as [(UInt8, SetPowered.Refusal)])
  func `Command Status says why it is not`(status: UInt8, refusal: SetPowered.Refusal) {
    let packet: [UInt8] = [0x02, 0x00, 0x02, 0x00, 0x03, 0x00, 0x05, 0x00, status]
    #expect(SetPowered.answer(in: packet, adapter: 2) == .refused(refusal))
  }

  @Test(
    arguments: [
      [], [0x02, 0x00, 0x02, 0x00, 0x02, 0x00, 0x05, 0x00], [0x02, 0x00, 0x03, 0x00, 0x03, 0x00, 0x05, 0x00, 0x00],
      [0x02, 0x00, 0x02, 0x00, 0x03, 0x00, 0x06, 0x00, 0x00], [0x06, 0x00, 0x02, 0x00, 0x04, 0x00, 0x05, 0x00, 0x00, 0x00],
    ] as [[UInt8]])
  func `what is cut, another adapter's or another command's is no answer`(packet: [UInt8]) {
    #expect(SetPowered.answer(in: packet, adapter: 2) == nil)
  }
}
