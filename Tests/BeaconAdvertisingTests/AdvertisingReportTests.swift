import BeaconAdvertising
import Instants
import Records
import Testing

@Suite struct AdvertisingReportTests {
  static let report = Octets.legacyReport(Octets.iBeacon())

  @Test(arguments: [(-127, -127), (-1, -1), (0, 0), (20, 20), (21, nil), (126, nil), (127, nil), (-128, nil)] as [(Int8, Int8?)])
  func `an impossible RSSI is absent`(sent: Int8, expected: Int8?) {
    #expect(decode(event: Octets.legacyEvent(Octets.legacyReport(Octets.iBeacon(), rssi: sent))).sightings.map(\.rssi) == [expected])
    #expect(decode(event: Octets.extendedEvent(Octets.extendedReport(Octets.iBeacon(), rssi: sent))).sightings.map(\.rssi) == [expected])
  }

  @Test func `consecutive legacy reports are decoded completely`() {
    let event = Octets.legacyEvent(
      Octets.legacyReport(Octets.iBeacon(minor: 1), rssi: -50), Octets.legacyReport(Octets.flags),
      Octets.legacyReport(Octets.iBeacon(minor: 3), rssi: -60))
    let decoded = decode(event: event)
    #expect(decoded.minors == [1, 3])
    #expect(decoded.sightings.map(\.rssi) == [-50, -60])
    #expect(decoded.counts.reports == 3)
    #expect(decoded.counts.events == 1)
  }

  @Test(arguments: [0x0013, 0x0010, 0x001B] as [UInt16])
  func `extended reports carry legacy advertisements`(type: UInt16) {
    let reports = [1, 2].map { Octets.extendedReport(Octets.iBeacon(minor: $0), type: type, sid: 0xFF) }
    #expect(decode(event: Octets.event(subevent: 0x0D, reports: reports)).minors == [1, 2])
  }

  @Test func `a report that exceeds its event ends the event`() {
    let overlong = Octets.legacyReport(Octets.iBeacon(minor: 2), length: 28)
    let decoded = decode(event: Octets.legacyEvent(Octets.legacyReport(Octets.iBeacon(minor: 1)), overlong))
    #expect(decoded.minors == [1])
    #expect(decoded.counts.malformed[.reportOverrun] == 1)
    #expect(decoded.counts.reports == 1)
  }

  @Test(arguments: [0x02, 0x0D] as [UInt8])
  func `an event with fewer reports than it announces is decoded up to its end`(subevent: UInt8) {
    let report = subevent == 0x02 ? Self.report : Octets.extendedReport(Octets.iBeacon())
    let decoded = decode(event: Octets.event(subevent: subevent, reports: [report], count: 25))
    #expect(decoded.minors == [5])
    #expect(decoded.counts.malformed[.reportOverrun] == 1)
  }

  @Test func `legacy data of more than 31 octets is rejected, and decoding continues`() {
    let long = Octets.legacyReport(Octets.iBeacon(minor: 1) + [0x04, 0x09, 0x41, 0x42, 0x43])
    let decoded = decode(event: Octets.legacyEvent(long, Octets.legacyReport(Octets.iBeacon(minor: 2))))
    #expect(decoded.minors == [2])
    #expect(decoded.counts.malformed[.legacyDataLength] == 1)
  }

  @Test(
    arguments: [
      [], [0x3E], [0x3E, 0x00], [0x3E, 0x01, 0x02], [0x3E, 0x02, 0x02], [0x3E, 0x05, 0x02, 0x00], [0x3E, 0x01, 0x02, 0x00],
      [0x0E, 0x04, 0x01],
    ] as [[UInt8]])
  func `an event with a wrong length is malformed`(event: [UInt8]) {
    let counts = decode(event: event).counts
    #expect(counts.malformed[.eventLength] == 1)
    #expect(counts.passedOver == 0)
  }

  @Test(
    arguments: [[0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00], [0x0E, 0x00], [0x3E, 0x01, 0x01], [0x3E, 0x03, 0x12, 0x01, 0x00]] as [[UInt8]])
  func `an event of another kind is counted as passed over`(event: [UInt8]) {
    let counts = decode(event: event).counts
    #expect(counts.passedOver == 1)
    #expect(counts.malformed.total == 0)
  }

  @Test(arguments: [[], [0x01, 0x03, 0x0C, 0x00], [0x02, 0x00, 0x00]] as [[UInt8]])
  func `a packet of another type is counted as passed over`(packet: [UInt8]) {
    var decoder = AdvertisingReportDecoder()
    var sightings: [Sighting] = []
    decoder.decode(packet: packet.span.bytes, time: Instant(microseconds: 0), into: &sightings)
    #expect(decoder.counts.passedOver == 1)
    #expect(decoder.counts.packets == 1)
  }

  @Test func `a packet of a live socket keeps its adapter and time`() {
    var decoder = AdvertisingReportDecoder()
    var sightings: [Sighting] = []
    let packet = Octets.h4(Octets.legacyEvent(Self.report))
    decoder.decode(packet: packet.span.bytes, adapter: 2, time: Instant(microseconds: 77), into: &sightings)
    #expect(sightings.map(\.adapter) == [2])
    #expect(sightings.map(\.time) == [Instant(microseconds: 77)])
  }

  @Test func `counts of several sources add up`() {
    let one = decode(event: Octets.legacyEvent(Self.report)).counts
    let other = decode(event: Octets.legacyEvent(Octets.legacyReport([0x05]))).counts
    var sum = one
    sum += other
    #expect(sum.packets == 2)
    #expect(sum.iBeacons == 1)
    #expect(sum.kinds[.iBeacon] == 1)
    #expect(sum.malformed[.structureOverrun] == 1)
    #expect(sum != one)
  }
}
