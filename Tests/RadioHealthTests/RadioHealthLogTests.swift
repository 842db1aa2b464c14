import Beacons
import Instants
import RadioHealth
import Testing

/// The log lines about a radio, and how often they appear.
@Suite struct RadioHealthLogTests {
  private static let address = BluetoothAddress(reversed: [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00])
  private static let other = BluetoothAddress(reversed: [0, 0, 0, 0xAC, 0xEC, 0xB0])
  private var changes = RadioHealthLog()

  private mutating func texts(
    _ state: AdapterHealth.State, _ notes: String..., name: String? = "hci0", of address: BluetoothAddress = address, trouble: String? = nil
  ) -> [String] {
    let health = AdapterHealth(address: address, number: 0, name: name, state: state, since: Instant(microseconds: 0), notes: notes)
    return changes.lines(trouble: trouble, adapters: [health]).map { ($0.isGood ? "good: " : "bad: ") + $0.text }
  }

  @Test mutating func `a loss and a recovery are logged once each`() {
    #expect(texts(.paused) == [])
    #expect(texts(.idle) == [])
    #expect(texts(.scanning) == ["good: 00:1A:7D:DA:71:13 is scanning as hci0"])
    #expect(texts(.scanning) == [])
    #expect(texts(.gone, "it is not plugged in", name: nil) == ["bad: 00:1A:7D:DA:71:13 is gone: it is not plugged in"])
    #expect(texts(.gone, "it is not plugged in", name: nil) == [])
    #expect(texts(.paused) == [])
    #expect(texts(.scanning) == ["good: 00:1A:7D:DA:71:13 is scanning as hci0"])
  }

  @Test mutating func `a pause that ends in scanning is not logged`() {
    _ = texts(.scanning)
    for _ in 0..<3 {
      #expect(texts(.paused) == [])
      #expect(texts(.scanning) == [])
    }
  }

  @Test mutating func `a changed name is logged`() {
    _ = texts(.scanning)
    #expect(texts(.scanning, name: "hci3") == ["good: 00:1A:7D:DA:71:13 is scanning as hci3"])
  }

  @Test mutating func `a pause with a reason, and a limited scan, are logged`() {
    #expect(texts(.paused, "a", "b") == ["bad: 00:1A:7D:DA:71:13 is paused: a; b"])
    #expect(texts(.scanning, "a") == ["bad: 00:1A:7D:DA:71:13 is scanning as hci0: a"])
  }

  @Test mutating func `a silence is logged once, whatever the result of the resets`() {
    #expect(texts(.silent, "busy").count == 1)
    #expect(texts(.silent, "failed") == [])
    #expect(texts(.scanning).count == 1)
    #expect(texts(.silent, "busy").count == 1)
  }

  @Test mutating func `trouble of all adapters is logged once, and later states of each adapter follow`() {
    _ = texts(.scanning)
    #expect(texts(.gone, trouble: "bluetoothd is not running") == ["bad: bluetoothd is not running"])
    #expect(texts(.gone, "x", trouble: "bluetoothd is not running") == [])
    #expect(texts(.scanning) == ["good: 00:1A:7D:DA:71:13 is scanning as hci0"])
    #expect(texts(.gone, trouble: "bluetoothd is not running") == ["bad: bluetoothd is not running"])
  }

  @Test mutating func `each adapter is logged separately`() {
    _ = texts(.scanning)
    #expect(texts(.scanning, name: "hci1", of: Self.other) == ["good: B0:EC:AC:00:00:00 is scanning as hci1"])
    #expect(texts(.scanning) == [])
  }
}
