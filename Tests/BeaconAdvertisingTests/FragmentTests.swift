import BeaconAdvertising
import Instants
import Records
import Testing

/// Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.13: event type bits 5 and 6.
private let moreToCome: UInt16 = 0x20
private let truncated: UInt16 = 0x40
private let reserved: UInt16 = 0x60

@Suite struct FragmentTests {
  static let data = Octets.flags + Octets.iBeacon()

  private func fragment(_ data: some Sequence<UInt8>, _ type: UInt16, address: UInt8 = 1, sid: UInt8 = 1, phy: UInt8 = 1) -> [UInt8] {
    Octets.extendedEvent(Octets.extendedReport(Array(data), type: type, address: address, sid: sid, secondaryPHY: phy))
  }

  @Test(arguments: [1, 3, 4, 20, 29])
  func `fragments join at any cut`(cut: Int) {
    let decoded = decode(events: [fragment(Self.data.prefix(cut), moreToCome), fragment(Self.data.dropFirst(cut), 0)])
    #expect(decoded.minors == [5])
    #expect(decoded.counts.kinds.total == 1)
    #expect(decoded.counts.joinedFragments == 1)
  }

  @Test func `joined fragments have the RSSI and time of the last fragment`() {
    let last = Octets.extendedEvent(Octets.extendedReport(Array(Self.data.dropFirst(9)), rssi: -33))
    let decoded = decode(events: [fragment(Self.data.prefix(9), moreToCome), last])
    #expect(decoded.sightings.map(\.rssi) == [-33])
    #expect(decoded.sightings.map(\.time.microseconds) == [1000])
  }

  @Test func `fragments of several senders are joined in parallel`() {
    let events = [
      fragment(Self.data.prefix(9), moreToCome, address: 1), fragment(Self.data.prefix(5), moreToCome, address: 2),
      fragment(Self.data.dropFirst(5), 0, address: 2), fragment(Self.data.dropFirst(9), 0, address: 1),
    ]
    #expect(decode(events: events).minors == [5, 5])
  }

  @Test(arguments: [(2, 1, 1), (1, 2, 1), (1, 1, 2)] as [(UInt8, UInt8, UInt8)])
  func `fragments of another address, advertising set or PHY are not joined`(address: UInt8, sid: UInt8, phy: UInt8) {
    let decoded = decode(events: [
      fragment(Self.data.prefix(9), moreToCome), fragment(Self.data.dropFirst(9), 0, address: address, sid: sid, phy: phy),
    ])
    #expect(decoded.minors == [])
    #expect(decoded.counts.droppedFragments == 1)
  }

  @Test func `a scan response does not end an advertisement`() {
    let scanResponse: UInt16 = 0x08
    let decoded = decode(events: [
      fragment(Self.data.prefix(9), moreToCome), fragment([0x02, 0x09, 0x41], scanResponse), fragment(Self.data.dropFirst(9), 0),
    ])
    #expect(decoded.minors == [5])
    #expect(decoded.counts.kinds[.other] == 1)
  }

  @Test func `complete structures of a truncated advertisement count`() {
    let decoded = decode(events: [fragment(Self.data, moreToCome), fragment([0x09, 0x09, 0x41], truncated)])
    #expect(decoded.minors == [5])
    #expect(decoded.counts.malformed.occurring.map(\.key) == [.dataTruncated])
  }

  @Test func `a fragment after the timeout starts a new advertisement`() {
    let events = [fragment(Self.data.prefix(9), moreToCome), fragment(Self.data, 0)]
    #expect(decode(events: events, times: [0, 2_500_001]).minors == [5])
    #expect(decode(events: events, times: [0, 2_500_001]).counts.droppedFragments == 1)
    #expect(decode(events: events, times: [0, 2_500_000]).counts.joinedFragments == 1)
  }

  @Test func `a reserved data status drops the advertisement`() {
    let decoded = decode(events: [fragment(Self.data.prefix(9), moreToCome), fragment(Self.data.dropFirst(9), reserved)])
    #expect(decoded.minors == [])
    #expect(decoded.counts.malformed[.reservedDataStatus] == 1)
    #expect(decoded.counts.droppedFragments == 2)
  }

  @Test func `an advertisement of more than 1650 octets is dropped until its end`() {
    let part = Array(repeating: [0x0A, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 9] as [UInt8], count: 20).flatMap { $0 }  // 220 octets
    let long = Array(repeating: fragment(part, moreToCome), count: 8)
    let decoded = decode(events: long + [fragment(Self.data, 0), fragment(Self.data, 0)])
    #expect(decoded.minors == [5])
    #expect(decoded.counts.malformed[.advertisementLength] == 1)
    #expect(decoded.counts.droppedFragments == 9)
  }

  @Test func `an advertisement of 1650 octets is accepted`() {
    let part: [UInt8] = [0xDB, 0x09] + Array(repeating: 0x41, count: 218)  // 220 octets
    let rest: [UInt8] = [0x52, 0x09] + Array(repeating: 0x41, count: 81) + Octets.iBeacon()  // 110 octets
    let decoded = decode(events: Array(repeating: fragment(part, moreToCome), count: 7) + [fragment(rest, 0)])
    #expect(decoded.minors == [5])
    #expect(decoded.counts.joinedFragments == 7)
  }

  @Test func `the oldest of more than sixteen pending advertisements is dropped`() {
    let begun = (1...17).map { fragment(Self.data.prefix(9), moreToCome, address: $0) }
    let ended = (2...17).map { fragment(Self.data.dropFirst(9), 0, address: $0) }
    let decoded = decode(events: begun + ended)
    #expect(decoded.minors.count == 16)
    #expect(decoded.counts.droppedFragments == 1)
  }
}
