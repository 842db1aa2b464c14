/// "Set Powered" of the kernel's management interface (doc/mgmt-api.txt of BlueZ): asked for, it answers when it is done, or why it is not.
///
/// Everything is little-endian: code, index of the adapter and length of what follows, two octets each.
enum SetPowered {
  enum Answer: Equatable {
    case done
    case refused(Refusal)
  }

  enum Power: UInt8 {
    case off = 0x00
    case on = 0x01
  }

  /// Statuses other than success.
  enum Refusal: UInt8 {
    case noAdapter = 0x11
    case blocked = 0x12
    case permissionDenied = 0x14
    /// Any other.
    case failed = 0x03
  }

  private static let opcode: UInt16 = 0x0005

  static func request(_ power: Power, adapter index: UInt16) -> [UInt8] {
    octets(opcode) + octets(index) + octets(1) + [power.rawValue]
  }

  /// Nil for a packet that does not answer `request(adapter: index)`.
  static func answer(in packet: some RandomAccessCollection<UInt8>, adapter index: UInt16) -> Answer? {
    let packet = Array(packet)
    let (complete, status): ([UInt8], [UInt8]) = ([0x01, 0x00], [0x02, 0x00])
    guard packet.count >= 9, [complete, status].contains(Array(packet[0..<2])), Array(packet[2..<4]) == octets(index),
      Array(packet[6..<8]) == octets(opcode)
    else { return nil }
    return packet[8] == 0 ? .done : .refused(Refusal(rawValue: packet[8]) ?? .failed)
  }

  private static func octets(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
  }
}
