/// Writes a capture: btsnoop version 1, data link 1002 (H4), with one LE Advertising Report in each record.
///
/// It is big-endian. The layouts are those of BlueZ's btsnoop page, of the Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.2,
/// and of Apple's Proximity Beacon Specification.
enum CaptureOctets {
  static let uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
  /// 2020-09-13T12:26:40Z, in microseconds since the Unix epoch: second zero of the captures here.
  static let start: Int64 = 1_600_000_000_000_000

  static func header(dataLink: UInt32 = 1002) -> [UInt8] {
    Array("btsnoop\0".utf8) + octets(UInt32(1)) + octets(dataLink)
  }

  /// Returns a sighting of a beacon with major 1 and −59 dBm at 1 m, at `second`.
  static func sighting(minor: UInt16, at second: Double, rssi: Int8 = -59) -> [UInt8] {
    let company: [UInt8] = [0x4C, 0x00]
    let beacon = company + [0x02, 0x15] + uuidOctets + octets(UInt16(1)) + octets(minor) + octets(Int8(-59))
    let data: [UInt8] = [0x02, 0x01, 0x06, UInt8(beacon.count + 1), 0xFF] + beacon
    let address: [UInt8] = [1, 0, 0, 0xEE, 0xFF, 0xC0]
    let report: [UInt8] = [0x03, 0x01] + address + [UInt8(data.count)] + data + octets(rssi)
    let parameters: [UInt8] = [0x02, 1] + report
    return record([0x04, 0x3E, UInt8(parameters.count)] + parameters, at: second)
  }

  /// Returns a record of any packet. `claimed` is the length in its header.
  static func record(_ packet: [UInt8], at second: Double, claimed: UInt32? = nil) -> [UInt8] {
    let received: UInt32 = 3
    let length = claimed ?? UInt32(packet.count)
    let sinceYearZero = start + Int64(second * 1e6) + 0x00DC_DDB3_0F2F_8000
    return octets(length) + octets(length) + octets(received) + octets(UInt32(0)) + octets(sinceYearZero) + packet
  }

  private static let uuidOctets: [UInt8] = {
    let digits = Array(uuid.utf8.filter { $0 != UInt8(ascii: "-") })
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) }
  }()

  private static func octets(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian, Array.init)
  }
}
