/// Puts reports into HCI events, one in each: LE Advertising Report, or LE Extended Advertising Report where the data are too long for
/// it. Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.2 and 7.7.65.13; the order of the fields is with `AdvertisingReportDecoder`.
enum AdvertisingReportEncoder {
  static let longestLegacyData = 31
  /// What an event of 255 octets has left for data: in one report, after sub-event, count and the report's header.
  static let longestFragment = 229

  private static let notAvailable: Int8 = 127

  /// As from an advertiser that takes neither connections nor scan requests, on LE 1M: whoever took the report out of its event did not say.
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

  /// `header` is an extended report's up to its data length. Data that do not fit into one event become fragments as a controller makes
  /// them, of which the last has the status that the header has.
  static func extendedEvents(header: [UInt8], data: [UInt8]) -> [[UInt8]] {
    let moreToCome: UInt8 = 0b01 << 5
    return stride(from: 0, to: max(1, data.count), by: longestFragment).map { start in
      let fragment = data[start..<min(start + longestFragment, data.count)]
      var header = header
      if fragment.endIndex < data.count { header[0] = header[0] & ~(0b11 << 5) | moreToCome }
      return event(subevent: 0x0D, header + [UInt8(fragment.count)] + fragment)
    }
  }

  /// An event with one report.
  static func event(subevent: UInt8, _ report: [UInt8]) -> [UInt8] {
    [0x3E, UInt8(2 + report.count), subevent, 1] + report
  }
}
