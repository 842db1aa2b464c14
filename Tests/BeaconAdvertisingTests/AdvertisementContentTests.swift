import BeaconAdvertising
import Beacons
import Records
import Testing

@Suite struct AdvertisementContentTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var data: [UInt8]
    var kind: AdvertisementKind
    var malformed: MalformedReason?
    var minors: [UInt16] = []

    var testDescription: String { name }
  }

  static let otherVendor: [UInt8] = [0x05, 0xFF, 0x59, 0x00, 0x01, 0x02]
  static let shortIBeacon: [UInt8] = [0x19] + Octets.iBeacon().dropFirst().dropLast()
  static let longIBeacon: [UInt8] = [0x1B] + Octets.iBeacon().dropFirst() + [0x00]
  static let wrongPayloadLength: [UInt8] = [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x14] + Octets.iBeacon().dropFirst(6)
  static let overrun: [UInt8] = [0x05, 0x09, 0x41]

  static let cases = [
    Case(name: "no data", data: [], kind: .empty),
    Case(name: "zero length at once", data: [0x00, 0x01, 0x02], kind: .empty),
    Case(name: "flags", data: Octets.flags, kind: .other),
    Case(name: "flags cut off", data: Octets.flags.dropLast(), kind: .malformed, malformed: .structureOverrun),
    Case(name: "flags after flags", data: Octets.flags + Octets.flags, kind: .other),
    Case(name: "an overrun after flags", data: Octets.flags + overrun, kind: .malformed, malformed: .structureOverrun),
    Case(name: "a type without data", data: [0x01, 0x09], kind: .other),
    Case(name: "an unknown type", data: [0x03, 0xEE, 0x01, 0x02], kind: .other),
    Case(name: "iBeacon", data: Octets.iBeacon(), kind: .iBeacon, minors: [5]),
    Case(name: "iBeacon after flags", data: Octets.flags + Octets.iBeacon(), kind: .iBeacon, minors: [5]),
    Case(name: "iBeacon after another vendor", data: otherVendor + Octets.iBeacon(), kind: .iBeacon, minors: [5]),
    Case(name: "iBeacon before another vendor", data: Octets.iBeacon() + otherVendor, kind: .iBeacon, minors: [5]),
    Case(name: "iBeacon before an overrun", data: Octets.iBeacon() + overrun, kind: .iBeacon, malformed: .structureOverrun, minors: [5]),
    Case(name: "iBeacon after a short one", data: shortIBeacon + Octets.iBeacon(), kind: .iBeacon, malformed: .iBeaconLength, minors: [5]),
    Case(name: "iBeacon behind the end", data: Octets.flags + [0x00] + Octets.iBeacon(), kind: .other),
    Case(name: "two iBeacons", data: Octets.iBeacon(minor: 1) + Octets.iBeacon(minor: 2), kind: .iBeacon, minors: [1, 2]),
    Case(name: "iBeacon one octet short", data: shortIBeacon, kind: .malformed, malformed: .iBeaconLength),
    Case(name: "iBeacon one octet long", data: longIBeacon, kind: .malformed, malformed: .iBeaconLength),
    Case(name: "iBeacon with a wrong length octet", data: wrongPayloadLength, kind: .malformed, malformed: .iBeaconLength),
    Case(name: "iBeacon without a length octet", data: [0x04, 0xFF, 0x4C, 0x00, 0x02], kind: .malformed, malformed: .iBeaconLength),
    Case(name: "iBeacon cut off", data: Octets.iBeacon().dropLast(), kind: .malformed, malformed: .structureOverrun),
    Case(name: "an overrun by one", data: [0x03, 0x09, 0x41], kind: .malformed, malformed: .structureOverrun),
    Case(name: "only a length octet", data: [0x01], kind: .malformed, malformed: .structureOverrun),
    Case(name: "Apple's company octets swapped", data: [0x1A, 0xFF, 0x00, 0x4C] + Octets.iBeacon().dropFirst(4), kind: .manufacturer),
    Case(name: "another of Apple's types", data: [0x06, 0xFF, 0x4C, 0x00, 0x10, 0x01, 0x00], kind: .apple),
    Case(name: "Apple and nothing more", data: [0x03, 0xFF, 0x4C, 0x00], kind: .apple),
    Case(name: "a company cut in half", data: [0x02, 0xFF, 0x4C], kind: .manufacturer),
    Case(name: "AltBeacon", data: Octets.altBeacon(), kind: .altBeacon, minors: [5]),
    Case(name: "AltBeacon after flags", data: Octets.flags + Octets.altBeacon(), kind: .altBeacon, minors: [5]),
    Case(
      name: "two AltBeacons and an iBeacon", data: Octets.altBeacon(minor: 1) + Octets.iBeacon(minor: 2) + Octets.altBeacon(minor: 3),
      kind: .iBeacon, minors: [1, 2, 3]),
    Case(name: "AltBeacon with Apple as its company", data: Octets.altBeacon(company: [0x4C, 0x00]), kind: .altBeacon, minors: [5]),
    Case(name: "AltBeacon cut off", data: Octets.altBeacon().dropLast(), kind: .malformed, malformed: .structureOverrun),
    Case(name: "AltBeacon without the maker's octet", data: [0x1A] + Octets.altBeacon().dropFirst().dropLast(), kind: .manufacturer),
    Case(
      name: "AltBeacon with its code swapped", data: [0x1B, 0xFF, 0x18, 0x01, 0xAC, 0xBE] + Octets.altBeacon().dropFirst(6),
      kind: .manufacturer),
    Case(name: "AltBeacon of a wrong length", data: [0x05, 0xFF, 0x18, 0x01, 0xBE, 0xAC], kind: .manufacturer),
    Case(name: "Eddystone", data: Octets.flags + [0x03, 0x03, 0xAA, 0xFE, 0x04, 0x16, 0xAA, 0xFE, 0x10], kind: .eddystone),
    Case(name: "other service data", data: [0x04, 0x16, 0x0D, 0x18, 0x10], kind: .other),
    Case(name: "service data cut in half", data: [0x02, 0x16, 0xAA], kind: .other),
  ]

  /// Uses an extended report, which has room for all structures.
  @Test(arguments: cases)
  func `the kind of an advertisement follows from its structures`(expected: Case) {
    let decoded = decode(event: Octets.extendedEvent(Octets.extendedReport(expected.data)))
    #expect(decoded.counts.kinds.occurring.map(\.key) == [expected.kind])
    #expect(decoded.counts.malformed.occurring.map(\.key) == (expected.malformed.map { [$0] } ?? []))
    #expect(decoded.minors == expected.minors)
    #expect(decoded.counts.beacons.total == expected.minors.count)
  }

  @Test func `every field of an iBeacon is read`() throws {
    let data: [UInt8] = [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Octets.uuid + [0xAB, 0xCD, 0xFE, 0xDC, 0x80]
    let sighting = try #require(decode(event: Octets.legacyEvent(Octets.legacyReport(data, rssi: -42))).sightings.first)
    #expect(sighting.beacon.description == "8ec76ea3-6668-48da-9866-75be8bc86f4d/43981/65244")
    #expect(sighting.measuredPower == -128)
    #expect(sighting.rssi == -42)
  }
}
