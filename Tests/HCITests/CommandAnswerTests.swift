import TestSupport
import Testing

@testable import HCI

@Suite struct CommandAnswerTests {
  private func answer(_ packet: [UInt8]) -> CommandAnswer? {
    packet.withUnsafeBytes { CommandAnswer(packet: $0) }
  }

  @Test func `Command Complete has opcode, status and return parameters`() {
    let packet: [UInt8] = [0x04, 0x0E, 0x06, 0x01, 0x02, 0x10, 0x00, 0xAB, 0xCD]
    #expect(answer(packet) == CommandAnswer(opcode: 0x1002, status: 0x00, parameters: [0xAB, 0xCD]))
  }

  @Test func `Command Status has its status first`() {
    #expect(answer([0x04, 0x0F, 0x04, 0x01, 0x01, 0x0C, 0x20]) == CommandAnswer(opcode: 0x200C, status: 0x01))
  }

  @Test(
    arguments: [
      [], [0x04], [0x04, 0x0E, 0x03, 0x01, 0x0C, 0x20], [0x04, 0x0E, 0x05, 0x01, 0x0C, 0x20, 0x00],
      [0x04, 0x0F, 0x03, 0x01, 0x01, 0x0C, 0x20], [0x02, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00], Packets.iBeacon(minor: 1),
    ] as [[UInt8]])
  func `a truncated, overlong or different packet is not an answer`(packet: [UInt8]) {
    #expect(answer(packet) == nil)
  }
}
