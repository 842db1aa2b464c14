import Beacons
import Events
import Numerals

/// The MQTT topics of one device, below one base such as `beaconmon/shop`.
public struct TopicTree: Hashable, Sendable {
  public let base: String

  public init(base: String) {
    self.base = base
  }

  /// `online` while the notifier is connected and knows the daemon's states, otherwise `offline`. Retained.
  public var status: String { "\(base)/status" }
  /// Every event as JSON, each once.
  public var events: String { "\(base)/events" }
  /// `inside`, `outside` or `unknown`. Retained.
  public func state(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/state" }
  /// The beacon that holds the region inside, as `major-minor`, or `none`. Retained.
  public func beacon(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/beacon" }
  /// The region's last event as JSON. Retained.
  public func event(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/event" }
  /// The last reading of a beacon as JSON. Not retained.
  public func reading(of beacon: BeaconIdentity) -> String { "\(base)/beacon/\(Self.id(of: beacon))/state" }
  /// `home`, `not_home` or `unknown`. Retained.
  public func presence(of beacon: BeaconIdentity) -> String { "\(base)/beacon/\(Self.id(of: beacon))/presence" }
  /// The location of the device as JSON. Retained.
  public var location: String { "\(base)/location" }

  /// Returns `UUID-major-minor`, which is one level of a topic.
  public static func id(of beacon: BeaconIdentity) -> String { "\(beacon.uuid)-\(beacon.major)-\(beacon.minor)" }

  /// Returns one topic level for any text.
  /// ASCII letters, digits and hyphens are unchanged. Each other octet of the UTF-8 becomes `_` and two hexadecimal digits. Different
  /// texts have different levels, and Home Assistant accepts every level as an object id.
  public static func level(for text: String) -> String {
    var level = ""
    for octet in text.utf8 {
      switch octet {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "-"):
        level.unicodeScalars.append(Unicode.Scalar(octet))
      default: level += "_" + Hexadecimal.digits(of: octet)
      }
    }
    return level
  }

  public func status(isOnline: Bool) -> Publication {
    Publication(status, isOnline ? "online" : "offline", isRetained: true)
  }

  /// Returns the messages for the state of a region and the beacon that holds it inside.
  public func retained(_ state: RegionState, _ beacon: Event.Beacon?, of region: String) -> [Publication] {
    let holder = state == .inside ? beacon.map { "\($0.major)-\($0.minor)" } : nil
    return [
      Publication(self.state(of: region), state.rawValue, isRetained: true),
      Publication(self.beacon(of: region), holder ?? "none", isRetained: true),
    ]
  }

  /// Returns the message for the last event of a region.
  ///
  /// - Parameter json: the event as JSON.
  public func retained(lastEvent json: String, of region: String) -> Publication {
    Publication(event(of: region), json, isRetained: true)
  }

  /// Returns the message for an event, which may be an old one.
  ///
  /// - Parameter json: the event as JSON.
  public func history(json: String) -> Publication { Publication(events, json, isRetained: false) }

  /// Returns the messages that clear the retained messages of an entity.
  public func clearings(of entity: AnnouncedEntity) -> [Publication] {
    let topics =
      switch entity {
      case .region(let region): [state(of: region), beacon(of: region), event(of: region)]
      case .beacon(let beacon): [presence(of: beacon)]
      case .location: [location]
      }
    return topics.map { Publication($0, "", isRetained: true) }
  }
}
