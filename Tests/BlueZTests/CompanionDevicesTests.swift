import DBus
import Testing

@testable import BlueZ

@Suite struct CompanionDevicesTests {
  @Test func `a bonded mouse counts as away while disconnected, and as connected otherwise`() {
    var companions = CompanionDevices()
    _ = companions.update("mouse", .options(["Paired": .boolean(true), "Connected": .boolean(false)]))
    #expect(companions.anyAway)
    #expect(!companions.anyConnected)
    _ = companions.update("mouse", .options(["Connected": .boolean(true)]))
    #expect(!companions.anyAway)
    #expect(companions.anyConnected)
    companions.remove("mouse")
    #expect(!companions.anyConnected)
  }

  @Test func `a classic headset needs no scan pauses`() {
    var companions = CompanionDevices()
    _ = companions.update("headset", .options(["Paired": .boolean(true), "Connected": .boolean(false), "Class": .uint32(0x240404)]))
    #expect(!companions.anyAway)
  }

  @Test func `unpaired devices are not companions`() {
    var companions = CompanionDevices()
    #expect(companions.update("phone", .options(["RSSI": .int16(-60)])) == false)
    _ = companions.update("phone", .options(["Paired": .boolean(false), "Connected": .boolean(false)]))
    #expect(!companions.anyAway && !companions.anyConnected)
  }
}
