import CBluetooth

/// The controller's answer to a command: Command Complete (0x0E) or Command Status (0x0F).
///
/// Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.14 and 7.7.15.
struct CommandAnswer: Equatable, Sendable {
  static let success: UInt8 = 0x00

  var opcode: UInt16
  var status: UInt8
  /// The return parameters after the status.
  var parameters: [UInt8] = []

  init(opcode: UInt16, status: UInt8, parameters: [UInt8] = []) {
    (self.opcode, self.status, self.parameters) = (opcode, status, parameters)
  }

  /// Parses an answer; nil for every other packet, and for an answer with a wrong length or without a status.
  init?(packet: UnsafeRawBufferPointer) {
    guard packet.count >= 7, packet[0] == HCI_EVENT_PKT, Int(packet[2]) == packet.count - 3 else { return nil }
    switch Int32(packet[1]) {
    case EVT_CMD_COMPLETE:
      self.init(opcode: UInt16(packet[5]) << 8 | UInt16(packet[4]), status: packet[6], parameters: Array(packet[7...]))
    case EVT_CMD_STATUS:
      self.init(opcode: UInt16(packet[6]) << 8 | UInt16(packet[5]), status: packet[3])
    default: return nil
    }
  }
}
