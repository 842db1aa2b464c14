import Records

/// The messages of Home Assistant's MQTT discovery, which make regions appear there automatically.
/// Each entity has a retained message (home-assistant.io, "MQTT", "Discovery messages"; "MQTT binary sensor"; "MQTT sensor").
public struct HomeAssistant: Hashable, Sendable {
  /// The discovery prefix, `homeassistant` by default.
  public let prefix: String
  public let topics: TopicTree
  /// The prefix that distinguishes the entities of this device; letters, digits and hyphens.
  public let device: String
  public let deviceName: String
  public let version: String

  public init(prefix: String, topics: TopicTree, device: String, deviceName: String, version: String) {
    self.prefix = prefix
    self.topics = topics
    self.device = device
    self.deviceName = deviceName
    self.version = version
  }

  /// Returns the entities of a region: its occupancy, and the beacon that holds it inside.
  ///
  /// - Parameter hasBeacons: false for a circle, which has no beacon; the region's earlier beacon entity is removed.
  public func announcements(of region: String, hasBeacons: Bool) -> [Publication] {
    let id = TopicTree.level(for: region)
    let occupancy = entity(
      id, name: region,
      [
        "state_topic": .text(topics.state(of: region)), "payload_on": .text("inside"), "payload_off": .text("outside"),
        // Home Assistant's word for an unknown state.
        "value_template": .text("{{ 'None' if value == 'unknown' else value }}"), "device_class": .text("occupancy"),
        "json_attributes_topic": .text(topics.event(of: region)),
      ])
    let beacon = entity(
      "\(id)_beacon", name: "\(region) beacon",
      [
        "state_topic": .text(topics.beacon(of: region)), "value_template": .text("{{ 'None' if value == 'none' else value }}"),
        "icon": .text("mdi:bluetooth"), "json_attributes_topic": .text(topics.event(of: region)),
      ])
    return [
      Publication(configuration("binary_sensor", id), occupancy.json, isRetained: true),
      Publication(configuration("sensor", "\(id)_beacon"), hasBeacons ? beacon.json : "", isRetained: true),
    ]
  }

  /// Returns messages that remove a region's entities, and its retained messages from the broker.
  public func removals(of region: String) -> [Publication] {
    let id = TopicTree.level(for: region)
    return [
      configuration("binary_sensor", id), configuration("sensor", "\(id)_beacon"), topics.state(of: region), topics.beacon(of: region),
      topics.event(of: region),
    ].map { Publication($0, "", isRetained: true) }
  }

  private func configuration(_ component: String, _ id: String) -> String { "\(prefix)/\(component)/beaconmon_\(device)/\(id)/config" }

  private func entity(_ id: String, name: String, _ own: KeyValuePairs<String, RecordValue?>) -> Record {
    var record = Record(["name": .text(name), "unique_id": .text("beaconmon_\(device)_\(id)"), "qos": .integer(1)])
    for (key, value) in own { record.append(key, value) }
    record.append("availability_topic", .text(topics.status))
    record.append(
      "device",
      .record(
        Record([
          "identifiers": .text("beaconmon_\(device)"), "name": .text(deviceName), "manufacturer": .text("beaconmon"),
          "model": .text("Beacon and region monitor"), "sw_version": .text(version),
        ])))
    record.append("origin", .record(Record(["name": .text("beaconmon"), "sw_version": .text(version)])))
    return record
  }
}
