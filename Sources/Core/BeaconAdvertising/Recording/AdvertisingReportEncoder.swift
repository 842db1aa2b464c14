import Beacons

/// Encodes reports as HCI events, one in each.
/// It uses the LE Advertising Report, or the LE Extended Advertising Report for longer data. Bluetooth Core Specification 5.4, Volume 4,
/// Part E, 7.7.65.2 and 7.7.65.13; see `AdvertisingReportDecoder` for the order of the fields.
enum AdvertisingReportEncoder {
  static let longestLegacyData = 31
  /// The maximum number of data octets in an event of 255 octets: after sub-event, count and the header of its only report.
  static let longestFragment = 229

  private static let notAvailable: Int8 = 127

  /// Returns the events for a report, as from a non-connectable and non-scannable advertiser on LE 1M.
  /// The actual type is lost with the original event.
  static func events(of report: AdvertisingReport) -> [[UInt8]] {
    let sender = [report.isRandom ? 1 : 0] + report.address.reversedOctets
    let rssi = UInt8(bitPattern: report.rssi ?? notAvailable)
    guard report.data.count > longestLegacyData else {
      let nonConnectable: UInt8 = 0x03
      return [event(subevent: 0x02, [nonConnectable] + sender + [UInt8(report.data.count)] + report.data + [rssi])]
    }
    let (primaryPHY, secondaryPHY, noSet, noPower): (UInt8, UInt8, UInt8, UInt8) = (0x01, 0x01, 0xFF, 0x7F)
    let unspecific: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0]
    let header = [0, 0] + sender + [primaryPHY, secondaryPHY, noSet, noPower, rssi] + unspecific
    return extendedEvents(header: header, data: Array(report.data.prefix(FragmentJoiner.longestAdvertisement)))
  }

  /// Returns the events for an extended report; `header` ends before its data length.
  /// Data that exceed one event become fragments as a controller makes them; the last fragment has the status of the header.
  static func extendedEvents(header: [UInt8], data: [UInt8]) -> [[UInt8]] {
    let moreToCome: UInt8 = 0b01 << 5
    return stride(from: 0, to: max(1, data.count), by: longestFragment).map { start in
      let fragment = data[start..<min(start + longestFragment, data.count)]
      var header = header
      if fragment.endIndex < data.count { header[0] = header[0] & ~(0b11 << 5) | moreToCome }
      return event(subevent: 0x0D, header + [UInt8(fragment.count)] + fragment)
    }
  }

  /// Returns an event with one report.
  static func event(subevent: UInt8, _ report: [UInt8]) -> [UInt8] {
    [0x3E, UInt8(2 + report.count), subevent, 1] + report
  }
}
