import Beacons
import Instants
import Records

/// The kinds of entities of a beacon.
public enum BeaconEntity: String, CaseIterable, Sendable {
  case distance
  case rssi
  /// The voltage of the battery, which some beacons report.
  case battery
  /// A device tracker, which is `home` while the beacon is heard.
  case tracker
}

extension HomeAssistant {
  /// The time after which a sensor without a new reading becomes unavailable.
  public static let expiry = Span.seconds(60)

  /// Returns the entities of a beacon. Entities that are not among `entities` are removed.
  ///
  /// - Parameters:
  ///   - hasMonitor: whether the device of the regions is announced before, to which Home Assistant then links the beacon.
  ///   - hasBattery: whether the beacon has reported its voltage. Without it, that entity is neither announced nor removed.
  public func announcements(
    of beacon: BeaconIdentity, name: String, _ entities: Set<BeaconEntity>, hasMonitor: Bool, hasBattery: Bool = false
  ) -> [Publication] {
    let id = TopicTree.id(of: beacon)
    let device = Record([
      "identifiers": .text("beaconmon_\(device)_\(id)"), "name": .text(name), "manufacturer": .text("beaconmon"),
      "model": .text("iBeacon"), "via_device": hasMonitor ? .text("beaconmon_\(device)") : nil,
    ])
    return BeaconEntity.allCases.filter { $0 != .battery || hasBattery || !entities.contains(.battery) }.map { kind in
      let payload = entities.contains(kind) ? announcement(of: beacon, kind, on: device).json : ""
      return Publication(configuration(kind, of: beacon), payload, isRetained: true)
    }
  }

  /// Returns the device tracker for the location of this device.
  public var locationAnnouncement: Publication {
    let tracker = entity(
      "location", name: "Location", on: monitor,
      ["json_attributes_topic": .text(topics.location), "source_type": .text("gps"), "icon": .text("mdi:crosshairs-gps")])
    return Publication(configuration("device_tracker", "location"), tracker.json, isRetained: true)
  }

  func configuration(_ kind: BeaconEntity, of beacon: BeaconIdentity) -> String {
    configuration(kind == .tracker ? "device_tracker" : "sensor", kind.rawValue, node: "_\(TopicTree.id(of: beacon))")
  }

  private func announcement(of beacon: BeaconIdentity, _ kind: BeaconEntity, on device: Record) -> Record {
    let id = "\(TopicTree.id(of: beacon))_\(kind.rawValue)"
    switch kind {
    case .distance:
      return entity(
        id, name: "Distance", on: device,
        sensor(
          of: beacon, "distance",
          [
            "device_class": .text("distance"), "unit_of_measurement": .text("m"), "suggested_display_precision": .integer(1),
            "json_attributes_topic": .text(topics.reading(of: beacon)),
          ]))
    case .rssi:
      return entity(
        id, name: "Signal strength", on: device,
        sensor(
          of: beacon, "rssi",
          [
            "device_class": .text("signal_strength"), "unit_of_measurement": .text("dBm"), "entity_category": .text("diagnostic"),
          ]))
    case .battery:
      return entity(
        id, name: "Battery voltage", on: device,
        sensor(
          of: beacon, "battery",
          [
            "device_class": .text("voltage"), "unit_of_measurement": .text("V"), "suggested_display_precision": .integer(2),
            "entity_category": .text("diagnostic"),
          ]))
    case .tracker:
      return entity(
        id, name: "Presence", on: device,
        [
          "state_topic": .text(topics.presence(of: beacon)), "payload_home": .text("home"), "payload_not_home": .text("not_home"),
          "payload_reset": .text("unknown"), "source_type": .text("bluetooth_le"),
        ])
    }
  }

  /// Returns the keys of a sensor for one number of a reading, which lacks a number that is unknown.
  private func sensor(of beacon: BeaconIdentity, _ key: String, _ own: KeyValuePairs<String, RecordValue?>) -> Record {
    var record = Record([
      "state_topic": .text(topics.reading(of: beacon)), "value_template": .text("{{ value_json.\(key) | default('None') }}"),
      "state_class": .text("measurement"), "expire_after": .integer(Self.expiry.microseconds / 1_000_000),
    ])
    for (key, value) in own { record.append(key, value) }
    return record
  }
}
