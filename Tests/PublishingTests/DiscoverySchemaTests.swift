import Beacons
import Publishing
import Records
import Testing

/// The discovery messages, compared with the keys that Home Assistant 2024.3 knows. It drops an unknown key silently.
@Suite struct DiscoverySchemaTests {
  private static let common: Set<String> = ["name", "unique_id", "qos", "availability_topic", "device", "origin"]

  /// The keys of each component that this program uses, with the required ones first.
  private static let schemas: [String: (required: Set<String>, optional: Set<String>)] = [
    "binary_sensor": (["state_topic"], ["payload_on", "payload_off", "value_template", "device_class", "json_attributes_topic"]),
    "sensor": (
      ["state_topic"],
      [
        "value_template", "device_class", "unit_of_measurement", "state_class", "suggested_display_precision", "expire_after",
        "entity_category", "icon", "json_attributes_topic",
      ]
    ),
    "device_tracker": (
      [], ["state_topic", "json_attributes_topic", "payload_home", "payload_not_home", "payload_reset", "source_type", "icon"]
    ),
  ]

  /// The units that a device class takes.
  private static let units = ["distance": "m", "signal_strength": "dBm"]

  private static let home = HomeAssistant(
    prefix: "homeassistant", topics: TopicTree(base: "beaconmon/shop"), device: "ab12", deviceName: "till", version: "1")

  private static var messages: [Publication] {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 5)
    return home.announcements(of: "Büro 2", hasBeacons: true)
      + home.announcements(of: beacon, name: "Keys", Set(BeaconEntity.allCases), hasMonitor: true) + [home.locationAnnouncement]
  }

  @Test(arguments: messages.map(\.topic).indices)
  func `each discovery message has only keys of its component, and all that it requires`(index: Int) throws {
    let message = Self.messages[index]
    let parts = message.topic.split(separator: "/")
    #expect(parts.count == 5 && parts[0] == "homeassistant" && parts[4] == "config" && message.isRetained)
    for part in parts[2...3] {
      #expect(part.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-".utf8.contains($0) })
    }
    let schema = try #require(Self.schemas[String(parts[1])])
    let record = try Record(json: message.payload)
    let keys = Set(record.keys)
    #expect(keys.count == record.keys.count)
    #expect(keys.isSuperset(of: Self.common.union(schema.required)))
    #expect(keys.subtracting(Self.common).subtracting(schema.required).isSubset(of: schema.optional))
    if let unit = record["device_class"]?.text.flatMap({ Self.units[$0] }) { #expect(record["unit_of_measurement"]?.text == unit) }
    if parts[1] == "device_tracker" {
      #expect(keys.contains("state_topic") || keys.contains("json_attributes_topic"))
      #expect(["gps", "router", "bluetooth", "bluetooth_le"].contains(record["source_type"]?.text))
    }
    guard case .record(let device) = record["device"], case .record(let origin) = record["origin"] else {
      Issue.record("no device or origin")
      return
    }
    #expect(device["identifiers"] != nil && origin["name"] != nil)
  }

  @Test func `all unique ids differ`() throws {
    let ids = try Self.messages.map { try Record(json: $0.payload)["unique_id"]?.text }
    #expect(Set(ids).count == ids.count)
  }

  @Test func `a sensor that expires reads a topic that is not retained`() throws {
    for message in Self.messages {
      let record = try Record(json: message.payload)
      guard record["expire_after"] != nil else { continue }
      #expect(record["state_topic"]?.text?.hasPrefix("beaconmon/shop/beacon/") == true)
    }
  }

  @Test func `entities that are not selected are removed`() {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 5)
    let messages = Self.home.announcements(of: beacon, name: "Keys", [.rssi], hasMonitor: false)
    #expect(messages.map(\.payload.isEmpty) == [true, false, true, true])
    #expect(messages.map(\.topic) == Self.home.removals(of: .beacon(beacon)).map(\.topic))
  }

  @Test(
    arguments: [
      AnnouncedEntity.region("front hall"), .region("a/b"), .location,
      .beacon(BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 65_535)),
    ])
  func `an announced entity is found under its stored name`(entity: AnnouncedEntity) {
    #expect(AnnouncedEntity(storedName: entity.storedName) == entity)
  }

  @Test func `the place of announced entities is found under its stored name`() {
    let place = DiscoveryPlace(Self.home)
    #expect(DiscoveryPlace(storedName: place.storedName) == place)
    #expect(DiscoveryPlace(storedName: "hall") == nil)
  }
}
