import BeaconAdvertising
import Beacons
import Testing

/// The adapters of a Linux monitor capture.
///
/// The layouts are those of BlueZ's monitor/bt.h and of the kernel's include/net/bluetooth/hci_mon.h.
@Suite struct CaptureAdaptersTests {
  private static let dongle: [UInt8] = [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00]
  private static let other: [UInt8] = [0x00, 0x00, 0x00, 0xAC, 0xEC, 0xB0]
  private static let dongleName = "00:1A:7D:DA:71:13"
  private static let otherName = "B0:EC:AC:00:00:00"

  /// Returns a New Index record: type, bus, address, name of eight octets.
  private static func appears(_ index: UInt32, _ address: [UInt8]) -> [UInt8] {
    Octets.record([0x00, 0x01] + address + Array("hci0".utf8) + [0, 0, 0, 0], flags: index << 16)
  }

  /// Returns an Index Info record: address, manufacturer.
  private static func informs(_ index: UInt32, _ address: [UInt8]) -> [UInt8] {
    Octets.record(address + [0x0A, 0x00], flags: index << 16 | 10)
  }

  private static func disappears(_ index: UInt32) -> [UInt8] { Octets.record([], flags: index << 16 | 1) }

  private static func hears(_ index: UInt32) -> [UInt8] {
    Octets.record(Octets.legacyEvent(Octets.legacyReport(Octets.iBeacon())), flags: index << 16 | 3)
  }

  private static func decoded(_ records: [[UInt8]], _ adapters: [AdapterSettings] = [], chunks: () -> Int = { .max }) -> Decoded {
    decode(capture: Octets.btsnoop(dataLink: 2001) + records.flatMap { $0 }, adapters: adapters, chunks: chunks)
  }

  private static func settings(_ name: String, use: Bool = true, offset: Double = 0) throws -> AdapterSettings {
    AdapterSettings(address: try #require(BluetoothAddress(name)), isUsed: use, rssiOffset: offset)
  }

  @Test func `an adapter that the capture introduces is named by its address`() {
    #expect(Self.decoded([Self.appears(2, Self.dongle), Self.hears(2)]).adapters == [Self.dongleName])
  }

  @Test func `an adapter without an address is named as in the capture`() {
    let record = Octets.record([0, 0, 0, 0, 0, 0, 0, 0] + Array("capture".utf8) + [0], flags: 3 << 16)
    #expect(Self.decoded([record, Self.hears(3)]).adapters == ["capture"])
  }

  @Test func `an address that appears later applies from then on`() {
    let records = [Self.appears(0, [0, 0, 0, 0, 0, 0]), Self.hears(0), Self.informs(0, Self.dongle), Self.hears(0)]
    #expect(Self.decoded(records).adapters == ["hci0", Self.dongleName])
  }

  @Test func `an adapter that returns under another number stays the same adapter, and its old number is free`() {
    let records = [
      Self.appears(0, Self.dongle), Self.hears(0), Self.disappears(0), Self.hears(0), Self.appears(3, Self.dongle), Self.hears(3),
      Self.appears(0, Self.other), Self.hears(0),
    ]
    let decoded = Self.decoded(records)
    #expect(decoded.adapters == [Self.dongleName, "hci0", Self.dongleName, Self.otherName])
    #expect(decoded.sightings[0].adapter == decoded.sightings[2].adapter)
    #expect(Set(decoded.sightings.map(\.adapter)).count == 3)
  }

  @Test func `the way a capture is cut into chunks changes nothing`() throws {
    let records = [Self.hears(0), Self.appears(0, Self.dongle), Self.hears(0), Self.appears(0, Self.other), Self.hears(0), Self.hears(1)]
    let settings = [try Self.settings(Self.otherName, use: false), try Self.settings(Self.dongleName, offset: 3)]
    #expect(Self.decoded(records, settings, chunks: { 1 }) == Self.decoded(records, settings))
  }

  @Test func `an unused adapter is ignored from the point where the capture names it`() throws {
    let records = [Self.hears(0), Self.appears(0, Self.dongle), Self.hears(0), Self.appears(1, Self.other), Self.hears(1)]
    let decoded = Self.decoded(records, [try Self.settings(Self.dongleName, use: false)])
    #expect(decoded.adapters == ["hci0", Self.otherName])
    #expect(decoded.counts.passedOver == 3)
  }

  @Test func `an offset follows the address of an adapter, even one that is configured before the capture names it`() throws {
    let roster = AdapterRoster([try Self.settings(Self.otherName), try Self.settings(Self.dongleName, offset: 3)])
    #expect(roster.rssiOffsets == [1: 3])
    let decoded = Self.decoded([Self.hears(0), Self.appears(0, Self.dongle), Self.hears(0)], roster.settings)
    #expect(decoded.sightings.map(\.adapter) == [2, 1])
  }

  @Test func `a capture that names endless adapters does not grow memory`() {
    var records: [[UInt8]] = []
    for index in 0..<1000 as Range<UInt32> {
      records += [Self.appears(index, [UInt8(index & 0xFF), UInt8(index >> 8), 0, 0, 0, 1]), Self.hears(index)]
    }
    let decoded = Self.decoded(records)
    #expect(decoded.sightings.count == 1000)
    #expect(Set(decoded.sightings.map(\.adapter)).count == AdapterRoster.most + 1)
    #expect(decoded.adapters[63] == "01:00:00:00:00:3F" && decoded.adapters[64] == nil)
  }

  @Test(arguments: [0, 1, 10, 13, 16] as [UInt32])
  func `a record about an adapter that is too short is ignored`(opcode: UInt32) {
    for length in 0..<8 {
      let record = Octets.record([UInt8](repeating: 7, count: length), flags: opcode)
      #expect(Self.decoded([record, Self.hears(0)]).adapters == ["hci0"])
    }
  }
}
