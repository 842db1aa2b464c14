import CBluetooth

/// The reports of one read of the socket, from beacons and other devices; health checks use them.
public struct HeardReports {
  /// The most devices that one read counts.
  static let mostDevices = 8

  public internal(set) var count = 0
  /// The addresses of some of the devices, as numbers that only tell them apart.
  public private(set) var devices: [UInt64] = []

  /// Takes the first report of a packet, and ignores its other reports and packets that are no report.
  ///
  /// Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.2 and 7.7.65.13: the address follows the event type and its own type.
  mutating func note(_ packet: UnsafeRawBufferPointer) {
    guard devices.count < Self.mostDevices, packet.count > 3, packet[1] == EVT_LE_META_EVENT else { return }
    let (legacy, extended): (UInt8, UInt8) = (0x02, 0x0D)
    let start: Int
    switch packet[3] {
    case legacy: start = 7
    case extended: start = 8
    default: return
    }
    guard packet.count >= start + 8 else { return }
    devices.append(UInt64(bigEndian: packet.loadUnaligned(fromByteOffset: start, as: UInt64.self)) >> 16)
  }

  mutating func removeAll() {
    count = 0
    devices.removeAll(keepingCapacity: true)
  }
}
