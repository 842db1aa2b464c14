import Beacons
import Records

/// The messages of Home Assistant's MQTT discovery, which make regions and beacons appear there automatically.
/// Each entity has a retained message (home-assistant.io, "MQTT", "Discovery messages"; "MQTT binary sensor"; "MQTT sensor"; "MQTT device
/// tracker").
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
      id, name: region, on: monitor,
      [
        "state_topic": .text(topics.state(of: region)), "payload_on": .text("inside"), "payload_off": .text("outside"),
        // Home Assistant's word for an unknown state.
        "value_template": .text("{{ 'None' if value == 'unknown' else value }}"), "device_class": .text("occupancy"),
        "json_attributes_topic": .text(topics.event(of: region)),
      ])
    // A text sensor has no word for an unknown state: Home Assistant 2024.3 shows "None" as a word. So the state is the payload, `none`.
    let beacon = entity(
      "\(id)_beacon", name: "\(region) beacon", on: monitor,
      [
        "state_topic": .text(topics.beacon(of: region)), "icon": .text("mdi:bluetooth"),
        "json_attributes_topic": .text(topics.event(of: region)),
      ])
    return [
      Publication(configuration("binary_sensor", id), occupancy.json, isRetained: true),
      Publication(configuration("sensor", "\(id)_beacon"), hasBeacons ? beacon.json : "", isRetained: true),
    ]
  }

  /// Returns the messages that remove an entity from Home Assistant.
  ///
  /// The retained messages of the entity's own topics are cleared later, see `Announcement`.
  public func removals(of entity: AnnouncedEntity) -> [Publication] {
    let topics =
      switch entity {
      case .region(let region):
        [
          configuration("binary_sensor", TopicTree.level(for: region)), configuration("sensor", "\(TopicTree.level(for: region))_beacon"),
        ]
      case .beacon(let beacon): BeaconEntity.allCases.map { configuration($0, of: beacon) }
      case .location: [configuration("device_tracker", "location")]
      }
    return topics.map { Publication($0, "", isRetained: true) }
  }

  func configuration(_ component: String, _ id: String, node: String = "") -> String {
    "\(prefix)/\(component)/beaconmon_\(device)\(node)/\(id)/config"
  }

  /// The device with the regions and the location.
  var monitor: Record {
    Record([
      "identifiers": .text("beaconmon_\(device)"), "name": .text(deviceName), "manufacturer": .text("beaconmon"),
      "model": .text("Beacon and region monitor"), "sw_version": .text(version),
    ])
  }

  func entity(_ id: String, name: String, on device: Record, _ own: KeyValuePairs<String, RecordValue?>) -> Record {
    entity(id, name: name, on: device, Record(own))
  }

  func entity(_ id: String, name: String, on device: Record, _ own: Record) -> Record {
    var record = Record(["name": .text(name), "unique_id": .text("beaconmon_\(self.device)_\(id)"), "qos": .integer(1)])
    for (key, value) in own.fields { record.append(key, value) }
    record.append("availability_topic", .text(topics.status))
    record.append("device", .record(device))
    record.append("origin", .record(Record(["name": .text("beaconmon"), "sw_version": .text(version)])))
    return record
  }
}
