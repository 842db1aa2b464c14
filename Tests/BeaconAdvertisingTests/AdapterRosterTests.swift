import BeaconAdvertising
import Testing

@Suite struct AdapterRosterTests {
  private let first: BluetoothAddress
  private let second: BluetoothAddress

  init() throws {
    first = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
    second = try #require(BluetoothAddress("B0:EC:AC:00:00:00"))
  }

  @Test func `a number is one adapter's for good, whatever the config says later`() {
    var roster = AdapterRoster()
    #expect(roster.number(of: first) == 0)
    roster.configure([AdapterSettings(address: second, rssiOffset: -2)])
    #expect(roster.number(of: second) == 1)
    #expect(roster.number(of: first) == 0)
    #expect(roster.name(of: 1) == "B0:EC:AC:00:00:00")
    #expect(roster.rssiOffsets == [1: -2])
  }

  @Test func `an adapter that the config does not name is used as it is`() {
    let roster = AdapterRoster([AdapterSettings(address: first, isUsed: false)])
    #expect(!roster.isUsed(first))
    #expect(roster.isUsed(second))
    #expect(roster.rssiOffsets.isEmpty)
  }

  @Test func `a config without it takes an offset away`() {
    var roster = AdapterRoster([AdapterSettings(address: first, rssiOffset: 3)])
    #expect(roster.rssiOffsets == [0: 3])
    roster.configure([])
    #expect(roster.rssiOffsets.isEmpty)
    #expect(roster.name(of: 0) == "00:1A:7D:DA:71:13")
  }
}
