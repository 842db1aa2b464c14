import FleetMessages
import Testing

struct HubMessageTests {
  private let message = HubMessage(number: 300, kind: .sharing, payload: [1, 2, 3])

  @Test func `a message of the hub has the octets that RFC 8949 requires`() {
    #expect(message.octets == [0x84, 1, 0x19, 0x01, 0x2C, 2, 0x43, 1, 2, 3])
  }

  @Test func `a decoded message equals the encoded one, even with the largest payload and with later items`() throws {
    let large = HubMessage(number: 1 << 53, kind: .rollout, payload: Array(repeating: 7, count: HubMessage.maximumPayloadSize))
    #expect(large.octets.count <= FleetMessage.maximumSize)
    #expect(try HubMessage(large.octets) == large)
    #expect(try HubMessage([0x85] + message.octets.dropFirst() + [0x61, 0x61]) == message)
  }

  @Test func `truncated, long, unknown and surplus octets are refused`() {
    let octets = message.octets
    for count in 0..<octets.count {
      #expect(throws: FleetMessageError.self) { try HubMessage(Array(octets.prefix(count))) }
    }
    #expect(throws: FleetMessageError.tooLong(40_000)) { try HubMessage(Array(repeating: 0, count: 40_000)) }
    #expect(throws: FleetMessageError.trailingOctets(at: octets.count)) { try HubMessage(octets + [0]) }
    // Number 0, kind 3, version 2, and a payload whose length is beyond the limit.
    #expect(throws: FleetMessageError.outOfRange(at: 2)) { try HubMessage([0x84, 1, 0, 2, 0x40]) }
    #expect(throws: FleetMessageError.outOfRange(at: 3)) { try HubMessage([0x84, 1, 1, 3, 0x40]) }
    #expect(throws: FleetMessageError.unknownVersion(2)) { try HubMessage([0x84, 2, 1, 1, 0x40]) }
    #expect(throws: FleetMessageError.outOfRange(at: 4)) { try HubMessage([0x84, 1, 1, 1, 0x5A, 0xFF, 0xFF, 0xFF, 0xFF]) }
  }
}
