import Beacons
import DeliveryScheduling
import EventActions
import FleetMessages
import Instants
import MonitorConfiguration
import Testing

/// The table [notifier.hub].
@Suite struct HubTests {
  static let required = """
    [notifier.hub]
    url = "mqtts://hub.example.org"
    site = "berlin"
    device = "door"
    certificate = "/etc/beaconmon/hub.pem"
    key = { credential = "hub-key" }

    """

  private func hub(_ text: String) throws -> HubSettings {
    let target = try #require(try Configuration.parse(text: text, name: "t").notifier.targets.last)
    guard case .hub(let settings) = target.means else { throw Other() }
    return settings
  }

  private struct Other: Error {}

  private func problems(_ text: String) -> [String] {
    do throws(ConfigurationError) {
      _ = try Configuration.parse(text: text, name: "t")
      return []
    } catch {
      return error.description.split(separator: "\n").map { String($0.dropFirst("t:".count)) }
    }
  }

  @Test func `every key is read, and the target never gives up an event`() throws {
    let text =
      Self.required.replacing("hub.example.org", with: "[2001:db8::1]:8884") + """
        ca = "/etc/beaconmon/ca.pem"
        digests = "2s"
        beacons = ["8ec76ea3-6668-48da-9866-75be8bc86f4d"]
        """
    let uuid = try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d")
    let address = try #require(FleetAddress(site: "berlin", device: "door"))
    let settings = HubSettings(
      host: "2001:db8::1", port: 8884, address: address, certificate: "/etc/beaconmon/hub.pem", key: .credential("hub-key"),
      certificates: "/etc/beaconmon/ca.pem", interval: .seconds(2), beacons: [uuid])
    let targets = try Configuration.parse(text: text, name: "t").notifier.targets
    #expect(targets == [Target(hub: settings)])
    #expect(targets.first?.policy == DeliveryPolicy(giveUp: DeliveryPolicy.noGiveUp, perMinute: 1200))
  }

  @Test func `the beacons default to the UUIDs of regions and of beacons with an offset`() throws {
    let settings = try hub(
      Self.required + """
        [[region]]
        identifier = "hall"
        uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
        [[region]]
        identifier = "room"
        uuid = "8ec76ea3-6668-48da-9866-75be8bc86f4d"
        major = 1
        [[beacon]]
        uuid = "01c76ea3-6668-48da-9866-75be8bc86f4d"
        major = 1
        minor = 2
        rssi-offset = 3
        """)
    #expect(
      settings.beacons.map(\.description) == ["01c76ea3-6668-48da-9866-75be8bc86f4d", "8ec76ea3-6668-48da-9866-75be8bc86f4d"])
    #expect((settings.port, settings.interval) == (8883, .seconds(5)))
    #expect(try hub(Self.required + "digests = \"off\"").interval == nil)
  }

  @Test(arguments: [
    (
      "mqtt://hub",
      "2: notifier: hub: url: \"mqtt://hub\" is not the address of a hub; write one such as \"mqtts://hub.example.org\", always with TLS"
    ),
    ("mqtts://a@hub", "2: notifier: hub: url: contains a user; a device logs in with its certificate, so remove it"),
    ("mqtts://hub:0", "2: notifier: hub: url: \"mqtts://hub:0\" has no valid port; write one from 1 to 65535, or none for 8883"),
    ("mqtts://hub/path", "2: notifier: hub: url: \"hub/path\" is not a host; write a name such as \"broker.local\" or an address"),
    ("mqtts://", "2: notifier: hub: url: \"\" is not a host; write a name such as \"broker.local\" or an address"),
  ])
  func `an invalid address is reported`(url: String, problem: String) {
    #expect(problems(Self.required.replacing("mqtts://hub.example.org", with: url)) == [problem])
  }

  @Test func `invalid values are reported with their lines`() throws {
    #expect(
      problems(Self.required.replacing("berlin", with: "Berlin")) == [
        "3: notifier: hub: site: \"Berlin\" is not allowed; write 1 to 32 of a-z, 0-9 and \"-\", which does not come first"
      ])
    #expect(
      problems(Self.required.replacing("{ credential = \"hub-key\" }", with: "\"secret\"")).first?.hasPrefix(
        "6: notifier: hub: key: must not be in this file") == true)
    #expect(problems(Self.required + "digests = \"11s\"") == ["7: notifier: hub: digests: \"11s\" is not between 1s and 10s"])
    let key = String(repeating: "A", count: 43) + "="
    #expect(try hub(Self.required + "rollout-key = \"\(key)\"").rolloutKey == Array(repeating: 0, count: 32))
    for wrong in ["", "A" + key, String(key.dropFirst(4)), key.replacing("=", with: "!")] {
      #expect(
        problems(Self.required + "rollout-key = \"\(wrong)\"") == [
          "7: notifier: hub: rollout-key: \"\(wrong)\" is not a key; write the one that \"beaconmon-hub admin rollout key\" prints"
        ])
    }
    #expect(problems(Self.required + "topic = \"x\"").first?.hasPrefix("7: notifier: hub: unknown key \"topic\"") == true)
    #expect(
      problems("[notifier.hub]\nsite = \"a\"").sorted() == [
        "1: notifier: hub: missing key \"certificate\"", "1: notifier: hub: missing key \"device\"",
        "1: notifier: hub: missing key \"key\"", "1: notifier: hub: missing key \"url\"",
      ])
    let many = (0..<17).map { "[[region]]\nidentifier = \"r\($0)\"\nuuid = \"8ec76ea3-6668-48da-9866-75be8bc86f\($0 + 10)\"\n" }.joined()
    #expect(
      problems(Self.required + many) == ["1: notifier: hub: beacons: the config has 17 UUIDs; list at most 16 for the digests"])
    #expect(problems(Self.required + "digests = \"off\"\n" + many) == [])
  }

  @Test func `another target cannot have the name, and an action cannot name the hub`() {
    #expect(
      problems(Self.required + "[[notifier.target]]\nname = \"hub\"\nlog = \"x\"") == [
        "8: target \"hub\": name: is already used by the table [notifier.hub] in line 1; choose another one"
      ])
    #expect(
      problems(Self.required + "[[notifier.action]]\ntarget = \"hub\"") == [
        "8: notifier action 1: target: the hub receives every event without an action; remove it"
      ])
  }
}
