import Beacons
import DeliveryScheduling
import EventActions
import Instants
import MonitorConfiguration
import Publishing
import Testing

/// Targets that are brokers of MQTT.
extension TargetTests {
  @Test func `every key of a broker is read`() throws {
    let settings = try notifier(
      """
      [[notifier.target]]
      name = "home"
      mqtt = { host = "broker.local", tls = true, port = 1234, ca-file = "/ca.pem", username = "u", password = { file = "/p" }, topic = "a/b", discovery = "homeassistant" }
      """)
    let broker = BrokerSettings(
      host: "broker.local", port: 1234, isEncrypted: true, certificates: "/ca.pem", username: "u", password: .file("/p"), topic: "a/b",
      discovery: "homeassistant")
    #expect(settings.targets == [Target(name: "home", .mqtt(broker))])
  }

  @Test func `two targets below one topic of a broker cause a warning`() throws {
    func warnings(_ topic: String) throws -> [String] {
      let text = """
        [[notifier.target]]
        name = "a"
        mqtt = { host = "h", topic = "shop" }
        [[notifier.target]]
        name = "b"
        mqtt = { host = "h", topic = "\(topic)" }
        """
      return try ConfigurationDocument.parse(text: text, name: "t").warnings.map(\.message)
    }
    #expect(try warnings("till").isEmpty)
    #expect(try warnings("shop") == ["target \"b\": publishes below the same topic as the target \"a\"; give one of them another topic"])
  }

  private static let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)

  private func beacons(_ keys: String) throws -> BeaconPublishing? {
    let settings = try notifier("[[notifier.target]]\nname = \"home\"\n[notifier.target.mqtt]\nhost = \"h\"\n\(keys)")
    guard case .mqtt(let broker)? = settings.targets.first?.means else { return nil }
    return broker.beacons
  }

  @Test func `beacons are off, on or listed`() throws {
    #expect(try beacons("") == nil)
    #expect(try beacons("beacons = false") == nil)
    #expect(try beacons("beacons = true") == BeaconPublishing(.regions))
    let listed = try beacons(
      """
      beacons = [
        { name = "Keys", uuid = "\(Self.uuid)", major = 1, minor = 5 },
        { uuid = "\(Self.uuid)", major = 1, minor = 6 },
      ]
      beacon-entities = ["tracker", "rssi"]
      away-after = "10m"
      room = "kitchen"
      room-topic = "rooms/ground"
      """)
    let keys = BeaconPublishing.ListedBeacon(BeaconIdentity(uuid: Self.uuid, major: 1, minor: 5), name: "Keys")
    let other = BeaconPublishing.ListedBeacon(BeaconIdentity(uuid: Self.uuid, major: 1, minor: 6))
    #expect(
      listed
        == BeaconPublishing(
          .listed([keys, other]), entities: [.tracker, .rssi], awayAfter: .seconds(600), room: "kitchen", roomTopic: "rooms/ground"))
  }

  @Test(
    arguments: [
      (#"room = "kitchen""#, "room: requires beacons; add beacons = true, or a list of beacons"),
      ("beacons = false\naway-after = \"1m\"", "away-after: requires beacons; add beacons = true, or a list of beacons"),
      ("beacons = true\nroom-topic = \"a\"", "room-topic: requires room, the name of the room of this device"),
      ("beacons = true\nroom = \"a/b\"", "room: \"a/b\" contains a slash; write a name such as \"kitchen\""),
      (
        "beacons = true\nbeacon-entities = [\"colour\"]",
        "\"colour\" is not an entity; use some of \"distance\", \"rssi\", \"battery\", \"tracker\""
      ),
      ("beacons = [{ major = 1, minor = 5 }]", "requires uuid, major and minor of each beacon"),
      ("beacons = [{ minr = 1 }]", "there is no key \"minr\" of a beacon; the keys are name, uuid, major, minor"),
      ("beacons = 3", "must be true, false or a list such as"),
    ])
  func `an error about beacons names the remedy`(keys: String, message: String) {
    let problems = problems("[[notifier.target]]\nname = \"home\"\n[notifier.target.mqtt]\nhost = \"h\"\n\(keys)")
    #expect(problems.contains { $0.contains(message) }, "\(problems)")
  }

  @Test func `listed beacons have at most sixteen UUIDs`() throws {
    let text = (0..<17).map { "{ uuid = \"00000000-0000-0000-0000-0000000000\($0 + 10)\", major = 1, minor = 5 }" }
    let target = "[[notifier.target]]\nname = \"home\"\n[notifier.target.mqtt]\nhost = \"h\"\n"
    let tooMany = problems("\(target)beacons = [\(text.joined(separator: ", "))]")
    #expect(tooMany.contains { $0.contains("has beacons of 17 UUIDs; at most 16 are allowed") }, "\(tooMany)")
    #expect(try beacons("beacons = [\(text.dropLast().joined(separator: ", "))]") != nil)
  }

  @Test(arguments: [("", 1883), (", tls = true", 8883)])
  func `the port of a broker has the usual default`(more: String, port: Int) throws {
    let settings = try notifier("[[notifier.action]]\nmqtt = { host = \"::1\"\(more) }")
    guard case .mqtt(let broker) = settings.targets.first?.means else {
      Issue.record("no broker")
      return
    }
    #expect(broker.port == port)
  }
}
