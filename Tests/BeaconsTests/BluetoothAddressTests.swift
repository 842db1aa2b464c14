import Beacons
import Testing

@Suite struct BluetoothAddressTests {
  @Test(arguments: ["00:1A:7D:DA:71:13", "FF:FF:FF:FF:FF:FF", "00:00:00:00:00:00"])
  func `an address is written in the form in which it is read`(text: String) {
    #expect(BluetoothAddress(text)?.description == text)
  }

  @Test func `letter case does not matter in an address`() {
    #expect(BluetoothAddress("00:1a:7d:da:71:13") == BluetoothAddress("00:1A:7D:DA:71:13"))
  }

  @Test(
    arguments: [
      "", "00:1A:7D:DA:71", "00:1A:7D:DA:71:13:", "00:1A:7D:DA:71:13:00", "0:1A:7D:DA:71:13", "00:1A:7D:DA:71:G3", "00-1A-7D-DA-71-13",
      "+0:1A:7D:DA:71:13", "００:1A:7D:DA:71:13", "hci0",
    ])
  func `malformed text is not an address`(text: String) {
    #expect(BluetoothAddress(text) == nil)
  }
}
