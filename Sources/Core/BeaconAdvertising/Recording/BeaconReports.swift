import Instants

/// Extracts the reports with beacons from HCI packets, for a recording.
/// Each report becomes an event of its own, with pseudonyms for addresses. `AdvertisingReportDecoder` finds the same sightings in the
/// events as in the packets.
///
/// Fragments wait until their advertisement is complete, and are then encoded again.
struct BeaconReports {
  private let pseudonyms: AddressPseudonyms
  private var fragments = FragmentJoiner()

  init(_ pseudonyms: AddressPseudonyms) {
    self.pseudonyms = pseudonyms
  }

  /// Returns the events for one packet that starts with its packet type; none for a malformed packet.
  mutating func events(in packet: RawSpan, adapter: UInt16, time: Instant) -> [[UInt8]] {
    let header: [UInt8] = [0x04, 0x3E]
    guard packet.byteCount >= 5, packet.octet(at: 0) == header[0], packet.octet(at: 1) == header[1],
      Int(packet.octet(at: 2)) == packet.byteCount - 3
    else { return [] }
    switch packet.octet(at: 3) {
    case 0x02: return legacyEvents(in: packet)
    case 0x0D: return extendedEvents(in: packet, adapter: adapter, time: time)
    default: return []
    }
  }

  /// Returns the events for a report without a packet.
  func events(of report: AdvertisingReport) -> [[UInt8]] {
    guard report.data.span.bytes.holdsBeacon else { return [] }
    var report = report
    report.address = pseudonyms.pseudonym(of: report.address, isRandom: report.isRandom)
    return AdvertisingReportEncoder.events(of: report)
  }

  private func legacyEvents(in packet: RawSpan) -> [[UInt8]] {
    var events: [[UInt8]] = []
    var offset = 5
    for _ in 0..<packet.octet(at: 4) {
      let dataStart = offset + 9
      guard dataStart < packet.byteCount else { break }
      let dataEnd = dataStart + Int(packet.octet(at: dataStart - 1))
      guard dataEnd < packet.byteCount else { break }
      if dataEnd - dataStart <= AdvertisingReportEncoder.longestLegacyData, packet.extracting(dataStart..<dataEnd).holdsBeacon {
        let sender = pseudonyms.pseudonym(ofTyped: packet.octets(offset + 1..<offset + 8))
        let report = [packet.octet(at: offset)] + sender + packet.octets(dataStart - 1..<dataEnd + 1)
        events.append(AdvertisingReportEncoder.event(subevent: 0x02, report))
      }
      offset = dataEnd + 1
    }
    return events
  }

  private mutating func extendedEvents(in packet: RawSpan, adapter: UInt16, time: Instant) -> [[UInt8]] {
    var events: [[UInt8]] = []
    var offset = 5
    for _ in 0..<packet.octet(at: 4) {
      let dataStart = offset + 24
      guard dataStart <= packet.byteCount else { break }
      let dataEnd = dataStart + Int(packet.octet(at: dataStart - 1))
      guard dataEnd <= packet.byteCount else { break }
      let report = packet.extracting(offset..<dataEnd)
      if let whole = join(report, adapter: adapter, time: time), whole.span.bytes.holdsBeacon {
        events += AdvertisingReportEncoder.extendedEvents(header: header(of: report), data: whole)
      }
      offset = dataEnd
    }
    return events
  }

  /// Returns all data of the advertisement that the report completes.
  private mutating func join(_ report: RawSpan, adapter: UInt16, time: Instant) -> [UInt8]? {
    let data = report.extracting(24..<report.byteCount)
    let isWholeLegacy = report.octet(at: 0) & 0x70 == 0x10
    if isWholeLegacy { return data.octets(0..<data.byteCount) }
    let status = DataStatus(eventType: report.octet(at: 0))
    switch fragments.take(data, status: status, key: FragmentKey(report: report, adapter: adapter), time: time).advertisement {
    case .none: return nil
    case .unjoined: return data.octets(0..<data.byteCount)
    case .joined(let octets, _): return octets
    }
  }

  /// Returns the header up to the data length, with pseudonyms for the sender and for the target of directed advertising.
  private func header(of report: RawSpan) -> [UInt8] {
    let direct = report.octets(16..<23)
    let isDirected = direct.dropFirst().contains { $0 != 0 }
    return report.octets(0..<2) + pseudonyms.pseudonym(ofTyped: report.octets(2..<9)) + report.octets(9..<16)
      + (isDirected ? pseudonyms.pseudonym(ofTyped: direct) : direct)
  }
}

extension RawSpan {
  fileprivate var holdsBeacon: Bool {
    var isFound = false
    _ = AdvertisementContent(self, in: 0..<byteCount) { _ in isFound = true }
    return isFound
  }
}
