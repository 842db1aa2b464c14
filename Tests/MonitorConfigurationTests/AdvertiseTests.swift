import BeaconAdvertising
import Beacons
import Instants
import MonitorConfiguration
import Testing

@Suite struct AdvertiseTests {
  private static func entry(_ keys: String = "") -> String {
    """
    [[advertise]]
    uuid = "\(galleryUUID)"
    major = 1
    minor = 5
    \(keys)

    """
  }

  private func problems(_ text: String) -> String? {
    #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }?.description
  }

  @Test func `a transmission has default values for optional keys`() throws {
    let transmission = try #require(Configuration.parse(text: Self.entry(), name: "t").transmissions.first)
    let identity = try BeaconIdentity(uuid: BeaconUUID(galleryUUID), major: 1, minor: 5)
    #expect(transmission.beacon == BeaconPayload(identity: identity, measuredPower: -59))
    #expect(transmission.interval == .milliseconds(100))
    #expect(transmission.adapter == nil && transmission.transmitPower == nil)
  }

  @Test func `every key of a transmission is read`() throws {
    let text = Self.entry("measured-power = -62\nadapter = \"00:1a:7d:da:71:13\"\ninterval = \"1s\"\ntransmit-power = 4")
    let transmission = try #require(Configuration.parse(text: text, name: "t").transmissions.first)
    #expect(transmission.beacon.measuredPower == -62)
    #expect(transmission.adapter?.description == "00:1A:7D:DA:71:13")
    #expect(transmission.interval == .seconds(1))
    #expect(transmission.transmitPower == 4)
  }

  @Test(arguments: [
    ("measured-power = 59", "t:5: advertise 1: measured-power: 59 is not between -100 and -20"),
    ("transmit-power = 21", "t:5: advertise 1: transmit-power: 21 is not between -127 and 20"),
    ("interval = \"20ms\"", "t:5: advertise 1: interval: \"20ms\" is not between 100ms and 10s"),
    (
      "adapter = \"hci0\"",
      "t:5: advertise 1: adapter: \"hci0\" is not an adapter address; write one such as \"00:1A:7D:DA:71:13\", because names such as hci0 can change"
    ),
    (
      "power = 1",
      "t:5: advertise 1: unknown key \"power\"; the keys here are uuid, major, minor, measured-power, adapter, interval, transmit-power"
    ),
  ])
  func `an invalid transmission is reported with its line`(keys: String, problem: String) {
    #expect(problems(Self.entry(keys)) == problem)
  }

  @Test func `a transmission without numbers is refused`() {
    #expect(
      problems("[[advertise]]\nuuid = \"\(galleryUUID)\"") == """
        t:1: advertise 1: missing key "major"
        t:1: advertise 1: missing key "minor"
        """)
  }

  @Test func `the same beacon twice on one adapter is an error, and on two adapters it is not`() throws {
    #expect(
      problems(Self.entry() + Self.entry("measured-power = -60"))
        == "t:6: advertise 2: is a duplicate of the beacon in line 1; remove one of them")
    let text = Self.entry() + Self.entry("adapter = \"00:1A:7D:DA:71:13\"")
    #expect(try Configuration.parse(text: text, name: "t").transmissions.count == 2)
  }
}
