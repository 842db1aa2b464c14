import Beacons
import Instants

/// Encodes a btsnoop capture of data link 2001, the Linux monitor, for btmon, tshark and `CaptureDecoder`.
/// This data link distinguishes adapters and describes each. See `BtsnoopDecoder` for the layout of header and records.
enum BtsnoopEncoder {
  /// The content of a record. BlueZ, `struct btsnoop_opcode_*`.
  enum Opcode: UInt16 {
    /// Type, bus, address (6), name (8, ended by a zero octet).
    case newAdapter = 0
    /// No content; another adapter may get the number afterwards.
    case deletedAdapter = 1
    /// An HCI event without its packet type.
    case event = 3
    /// Address (6), manufacturer (2); sent when the adapter is switched on.
    case adapterInformation = 10
    /// A note, ended by a zero octet.
    case note = 12
  }

  /// The adapter of records that belong to no adapter.
  static let noAdapter: UInt16 = 0xFFFF

  static let header: [UInt8] =
    [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00] + octets(UInt32(1)) + octets(BtsnoopDataLink.linuxMonitor.rawValue)

  /// Returns a record.
  ///
  /// - Parameters:
  ///   - drops: the number of packets that the recorder has lost so far.
  ///   - time: since the Unix epoch.
  static func record(_ opcode: Opcode, _ packet: [UInt8], adapter: UInt16 = noAdapter, drops: UInt32 = 0, time: Instant) -> [UInt8] {
    let length = octets(UInt32(packet.count))
    let flags = octets(UInt32(adapter) << 16 | UInt32(opcode.rawValue))
    let sinceYearZero = time + Span(microseconds: BtsnoopDecoder.unixEpoch)
    return length + length + flags + octets(drops) + octets(sinceYearZero.microseconds) + packet
  }

  /// Returns the content of a `newAdapter` record; `name` is cut to its first seven octets.
  static func newAdapter(address: BluetoothAddress?, name: String) -> [UInt8] {
    let name = Array(name.utf8.prefix(7))
    let address = address?.reversedOctets ?? Array(repeating: 0, count: 6)
    return [0, 0] + address + name + Array(repeating: 0, count: 8 - name.count)
  }

  static func note(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  private static func octets(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }
}
