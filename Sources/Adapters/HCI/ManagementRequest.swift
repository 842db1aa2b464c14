/// A request to the kernel's management interface (doc/mgmt-api.txt of BlueZ).
/// The kernel answers when the request is done, or with the reason why it failed.
///
/// Everything is little-endian: code, index of the adapter and length of the parameters, two octets each.
enum ManagementRequest: Equatable {
  case setPowered(Bool)
  case stopDiscovery(Discovery)

  /// The kinds of discovery, by the address types that they look for; a request ends only a discovery of its own kind.
  enum Discovery: UInt8, CaseIterable {
    case lowEnergy = 0x06
    case interleaved = 0x07
  }

  enum Answer: Equatable {
    case done
    case refused(Refusal)
  }

  /// The statuses other than success.
  enum Refusal: UInt8 {
    case noAdapter = 0x11
    case blocked = 0x12
    case permissionDenied = 0x14
    /// Any other status.
    case failed = 0x03
  }

  /// The name of the request for messages.
  var name: String {
    switch self {
    case .setPowered: "Set Powered"
    case .stopDiscovery: "Stop Discovery"
    }
  }

  func octets(adapter index: UInt16) -> [UInt8] {
    Self.octets(opcode) + Self.octets(index) + Self.octets(1) + [parameter]
  }

  /// Returns the answer in a packet, or nil for a packet that does not answer this request to this adapter.
  func answer(in packet: some RandomAccessCollection<UInt8>, adapter index: UInt16) -> Answer? {
    let packet = Array(packet)
    let (complete, status): ([UInt8], [UInt8]) = ([0x01, 0x00], [0x02, 0x00])
    guard packet.count >= 9, [complete, status].contains(Array(packet[0..<2])), Array(packet[2..<4]) == Self.octets(index),
      Array(packet[6..<8]) == Self.octets(opcode)
    else { return nil }
    return packet[8] == 0 ? .done : .refused(Refusal(rawValue: packet[8]) ?? .failed)
  }

  private var opcode: UInt16 {
    switch self {
    case .setPowered: 0x0005
    case .stopDiscovery: 0x0024
    }
  }

  private var parameter: UInt8 {
    switch self {
    case .setPowered(let isOn): isOn ? 1 : 0
    case .stopDiscovery(let discovery): discovery.rawValue
    }
  }

  private static func octets(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
  }
}
