import BeaconAdvertising
import Instants
import Testing

@Suite struct BtsnoopTests {
  static let event = Octets.legacyEvent(Octets.legacyReport(Octets.iBeacon()))
  static let record = Octets.record(Octets.h4(event))

  @Test func `a time counts microseconds from the Unix epoch`() {
    let record = Octets.record(Octets.h4(Self.event), time: 1_581_249_601_408_682)
    #expect(decode(capture: Octets.btsnoop(record)).sightings.map(\.time.rfc3339) == ["2020-02-09T12:00:01.408682Z"])
  }

  @Test func `a timestamp that runs backward is replaced by the latest time and counted`() {
    let records = [10, 30, 20, 30, 29, 40].map { Octets.record(Octets.h4(Self.event), time: $0) }
    let decoded = decode(capture: Octets.btsnoop() + records.flatMap { $0 })
    #expect(decoded.sightings.map(\.time.microseconds) == [10, 30, 30, 30, 30, 40])
    #expect(decoded.counts.heldTimes == 2)
  }

  @Test(arguments: [Int64.min, .max, -1])
  func `no timestamp traps`(time: Int64) {
    #expect(decode(capture: Octets.btsnoop(Octets.record(Octets.h4(Self.event), time: time))).minors == [5])
  }

  @Test func `only received events of HCI captures are read`() {
    let records = (0...3).map { Octets.record(Self.event, flags: UInt32($0)) }
    let decoded = decode(capture: Octets.btsnoop(dataLink: 1001) + records.flatMap { $0 })
    #expect(decoded.minors == [5])
    #expect(decoded.counts.passedOver == 3)
  }

  @Test func `only received events of Linux monitor captures are read, and adapters are kept apart`() {
    let records = [4, 2, 3, 5, 0x0003_0003, 0x0003_0002].map { Octets.record(Self.event, flags: $0) }
    let decoded = decode(capture: Octets.btsnoop(dataLink: 2001) + records.flatMap { $0 })
    #expect(decoded.adapters == ["hci0", "hci3"])
    #expect(decoded.counts.passedOver == 4)
  }

  @Test func `an H4 capture marks its own events`() {
    let records = [Octets.record(Octets.h4(Self.event), flags: 0), Octets.record([0x02] + Self.event), Octets.record([])]
    let decoded = decode(capture: Octets.btsnoop() + records.flatMap { $0 })
    #expect(decoded.minors == [5])
    #expect(decoded.counts.passedOver == 2)
  }

  @Test(
    arguments: [
      ([], .empty),
      (Array("hello".utf8), .notBtsnoop),
      (Array("btsnoop!".utf8) + Array(repeating: 0, count: 40), .notBtsnoop),
      (Array("btsn".utf8), .headerTruncated(octets: 4)),
      (Array(Octets.btsnoop().dropLast()), .headerTruncated(octets: 15)),
      (Octets.btsnoop(version: 2), .unsupportedVersion(2)),
      (Octets.btsnoop(dataLink: 1003), .unknownDataLink(1003)),
      (Octets.btsnoop(), .noRecords),
    ] as [([UInt8], CaptureError)])
  func `the error for an unreadable capture states the reason`(capture: [UInt8], error: CaptureError) {
    #expect(decode(capture: capture).error == error)
    #expect(decode(capture: capture, chunks: { 1 }).error == error)
  }

  @Test(arguments: [(100, 99), (65_541, 65_541), (.max, .max)] as [(UInt32, UInt32)])
  func `a record with a false length ends the capture and keeps the records before it`(included: UInt32, original: UInt32) {
    let lie = Octets.record([1, 2, 3], included: included, original: original)
    let capture = Octets.btsnoop(Self.record, Self.record, lie, Self.record)
    let decoded = decode(capture: capture)
    let place = CapturePlace(offset: 16 + 2 * Self.record.count, record: 3)
    #expect(decoded.error == .recordLength(included: included, original: original, place))
    #expect(decoded.minors == [5, 5])
    #expect(decode(capture: capture, chunks: { 1 }) == decoded)
  }

  @Test func `an error drops pending fragments`() {
    let fragment = Octets.extendedEvent(Octets.extendedReport(Octets.flags, type: 0x20))
    let lie = Octets.record([1], included: 2, original: 1)
    let counts = decode(capture: Octets.btsnoop(Octets.record(Octets.h4(fragment)), lie)).counts
    #expect(counts.reports == 1)
    #expect(counts.droppedFragments == 1)
  }

  @Test(arguments: 1..<record.count)
  func `a truncated last record is reported, and all records before it are used`(kept: Int) {
    let decoded = decode(capture: Octets.btsnoop(Self.record) + Self.record.prefix(kept))
    let place = CapturePlace(offset: 16 + Self.record.count, record: 2)
    #expect(decoded.error == .recordTruncated(missing: kept < 24 ? nil : Self.record.count - kept, place))
    #expect(decoded.minors == [5])
  }

  @Test func `after an error, every call throws the same error`() {
    var decoder = CaptureDecoder()
    var sightings: [Sighting] = []
    let noise = [UInt8](repeating: 7, count: 16)
    #expect(throws: CaptureError.notBtsnoop) { try decoder.decode(noise.span.bytes, into: &sightings) }
    #expect(throws: CaptureError.notBtsnoop) { try decoder.decode(Octets.btsnoop(Self.record).span.bytes, into: &sightings) }
    #expect(throws: CaptureError.notBtsnoop) { try decoder.finish() }
    #expect(sightings.isEmpty)
  }

  @Test(
    arguments: [
      (.recordTruncated(missing: 12, CapturePlace(offset: 1234, record: 17)), "byte 1234, record 17: "),
      (
        .recordLength(included: 9, original: 3, CapturePlace(offset: 85, record: 2)), "byte 85, record 2: it claims to include 9 of 3 bytes"
      ),
      (.unknownDataLink(1), "byte 12: data link 1 is not supported; it must be 1001"),
    ] as [(CaptureError, String)])
  func `an error is one line that starts with its position`(error: CaptureError, beginning: String) {
    #expect(error.description.hasPrefix(beginning))
    #expect(!error.description.contains("\n"))
  }
}
