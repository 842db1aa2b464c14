import Events

/// Where on a broker things of one device are, all below one base such as `beaconmon/shop`.
public struct TopicTree: Hashable, Sendable {
  public let base: String

  public init(base: String) {
    self.base = base
  }

  /// `online` while we are connected and the daemon is there, else `offline`. Retained.
  public var status: String { "\(base)/status" }
  /// Every event as JSON, each once.
  public var events: String { "\(base)/events" }
  /// `inside`, `outside` or `unknown`. Retained.
  public func state(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/state" }
  /// Who holds the region inside, as `major-minor`, or `none`. Retained.
  public func beacon(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/beacon" }
  /// The region's last event as JSON. Retained.
  public func event(of region: String) -> String { "\(base)/region/\(Self.level(for: region))/event" }

  /// One level of a topic that stands for any text: ASCII letters, digits and hyphens as they are, each other octet of the UTF-8 as `_` and two
  /// hexadecimal digits. Different texts give different levels, and Home Assistant takes every one as an object id.
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

  /// The state of a region and the beacon that holds it inside.
  public func standing(_ state: RegionState, _ beacon: Event.Beacon?, of region: String) -> [Publication] {
    let holder = state == .inside ? beacon.map { "\($0.major)-\($0.minor)" } : nil
    return [
      Publication(self.state(of: region), state.rawValue, isRetained: true),
      Publication(self.beacon(of: region), holder ?? "none", isRetained: true),
    ]
  }

  /// What an event changes. A test is told, and changes nothing that is kept.
  ///
  /// - Parameter json: the event's.
  public func publications(for event: Event, json: String, isTest: Bool) -> [Publication] {
    var publications = [Publication(events, json, isRetained: false)]
    guard !isTest, let region = event.region else { return publications }
    publications.append(Publication(self.event(of: region), json, isRetained: true))
    return publications + (event.state.map { standing($0, event.beacon, of: region) } ?? [])
  }
}
