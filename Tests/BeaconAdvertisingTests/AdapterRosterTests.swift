import BeaconAdvertising
import Beacons
import Testing

@Suite struct AdapterRosterTests {
  private let first: BluetoothAddress
  private let second: BluetoothAddress

  init() throws {
    first = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
    second = try #require(BluetoothAddress("B0:EC:AC:00:00:00"))
  }

  @Test func `an adapter keeps its number when the config changes`() {
    var roster = AdapterRoster()
    #expect(roster.number(of: first) == 0)
    roster.configure([AdapterSettings(address: second, rssiOffset: -2)])
    #expect(roster.number(of: second) == 1)
    #expect(roster.number(of: first) == 0)
    #expect(roster.name(of: 1) == "B0:EC:AC:00:00:00")
    #expect(roster.rssiOffsets == [1: -2])
  }

  @Test func `an adapter without configuration is used`() {
    let roster = AdapterRoster([AdapterSettings(address: first, isUsed: false)])
    #expect(!roster.isUsed(first))
    #expect(roster.isUsed(second))
    #expect(roster.rssiOffsets.isEmpty)
  }

  @Test func `an offset that is removed from the config no longer applies`() {
    var roster = AdapterRoster([AdapterSettings(address: first, rssiOffset: 3)])
    #expect(roster.rssiOffsets == [0: 3])
    roster.configure([])
    #expect(roster.rssiOffsets.isEmpty)
    #expect(roster.name(of: 0) == "00:1A:7D:DA:71:13")
  }
}
