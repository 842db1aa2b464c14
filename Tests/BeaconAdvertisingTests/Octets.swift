/// Packets written octet by octet after the Core Specification, independent of the code under test.
enum Octets {
  static let uuid: [UInt8] = [0x8E, 0xC7, 0x6E, 0xA3, 0x66, 0x68, 0x48, 0xDA, 0x98, 0x66, 0x75, 0xBE, 0x8B, 0xC8, 0x6F, 0x4D]

  /// Returns an iBeacon with major 1 and measured power −59 dBm.
  static func iBeacon(minor: UInt8 = 5) -> [UInt8] {
    [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + uuid + [0x00, 0x01, 0x00, minor, 0xC5]
  }

  /// Returns an AltBeacon with major 1 and measured power −59 dBm.
  static func altBeacon(minor: UInt8 = 5, company: [UInt8] = [0x18, 0x01]) -> [UInt8] {
    [0x1B, 0xFF] + company + [0xBE, 0xAC] + uuid + [0x00, 0x01, 0x00, minor, 0xC5, 0x2A]
  }

  static let flags: [UInt8] = [0x02, 0x01, 0x06]

  static func legacyReport(_ data: [UInt8], rssi: Int8 = -70, length: UInt8? = nil) -> [UInt8] {
    let header: [UInt8] = [0x03, 0x01, 0x01, 0x02, 0x03, 0x04, 0x05, 0xC6]
    return header + [length ?? UInt8(data.count)] + data + [UInt8(bitPattern: rssi)]
  }

  static func extendedReport(
    _ data: [UInt8], rssi: Int8 = -70, type: UInt16 = 0, address: UInt8 = 1, sid: UInt8 = 1, secondaryPHY: UInt8 = 1, length: UInt8? = nil
  ) -> [UInt8] {
    let eventType = [UInt8(truncatingIfNeeded: type), UInt8(truncatingIfNeeded: type >> 8)]
    let sender: [UInt8] = [0x01, address, 0x02, 0x03, 0x04, 0x05, 0xC6, 0x01, secondaryPHY, sid]
    let reception: [UInt8] = [0x7F, UInt8(bitPattern: rssi), 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]
    return eventType + sender + reception + [length ?? UInt8(data.count)] + data
  }

  static func event(subevent: UInt8, reports: [[UInt8]], count: UInt8? = nil) -> [UInt8] {
    let parameters = [subevent, count ?? UInt8(reports.count)] + reports.flatMap { $0 }
    return [0x3E, UInt8(parameters.count)] + parameters
  }

  static func legacyEvent(_ reports: [UInt8]...) -> [UInt8] { event(subevent: 0x02, reports: reports) }
  static func extendedEvent(_ reports: [UInt8]...) -> [UInt8] { event(subevent: 0x0D, reports: reports) }
  static func h4(_ event: [UInt8]) -> [UInt8] { [0x04] + event }

  static func btsnoop(dataLink: UInt32 = 1002, version: UInt32 = 1, _ records: [UInt8]...) -> [UInt8] {
    Array("btsnoop\0".utf8) + word(version) + word(dataLink) + records.flatMap { $0 }
  }

  /// Returns a record with a time in microseconds since the Unix epoch.
  static func record(
    _ packet: [UInt8], flags: UInt32 = 3, time: Int64 = 0, included: UInt32? = nil, original: UInt32? = nil
  ) -> [UInt8] {
    let length = included ?? UInt32(packet.count)
    let sinceYearZero = UInt64(bitPattern: time &+ 0x00DC_DDB3_0F2F_8000)
    return word(original ?? length) + word(length) + word(flags) + word(0) + word(UInt32(sinceYearZero >> 32))
      + word(UInt32(truncatingIfNeeded: sinceYearZero)) + packet
  }

  private static func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
