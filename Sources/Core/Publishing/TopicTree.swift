import Beacons
import Events

/// The MQTT topics of one device, below one base such as `beaconmon/shop`.
public struct TopicTree: Hashable, Sendable {
  public let base: String

  public init(base: String) {
    self.base = base
  }

  /// `online` while the notifier is connected and the daemon is available, otherwise `offline`. Retained.
  public var status: String { "\(base)/status" }
  /// Every event as JSON, each once.
  public var events: String { "\(base)/events" }
  /// `inside`, `outside` or `unknown`. Retained.
  public func state(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/state" }
  /// The beacon that holds the region inside, as `major-minor`, or `none`. Retained.
  public func beacon(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/beacon" }
  /// The region's last event as JSON. Retained.
  public func event(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/event" }

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
      default: level += "_" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
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

  /// Returns the messages for an event; a test event changes no retained message.
  ///
  /// - Parameter json: the event as JSON.
  public func publications(for event: Event, json: String, isTest: Bool) -> [Publication] {
    var publications = [Publication(events, json, isRetained: false)]
    guard !isTest, let region = event.region else { return publications }
    publications.append(Publication(self.event(of: region), json, isRetained: true))
    return publications + (event.state.map { retained($0, event.beacon, of: region) } ?? [])
  }
}
