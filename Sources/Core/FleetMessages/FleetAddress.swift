import Digests

/// The place of a device in a fleet: its site and its name there.
///
/// A name has 1 to 32 characters of a-z, 0-9 and "-", and begins with no hyphen. Other characters would have a meaning in topics, in the
/// patterns of a broker's permissions, or in file names.
public struct FleetAddress: Hashable, Sendable {
  /// The number of partitions of a fleet. All devices of a site have the same partition.
  public static let partitions = 64
  private static let prefix = "fleet/v1"

  public let site: String
  public let device: String

  /// Nil if a name is not allowed.
  public init?(site: String, device: String) {
    guard Self.isName(site), Self.isName(device) else { return nil }
    (self.site, self.device) = (site, device)
  }

  /// Parses the common name of a device's certificate; nil for any other text.
  public init?(commonName: String) {
    let parts = commonName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(site: String(parts[0]), device: String(parts[1]))
  }

  /// Parses a routing key, as AMQP has it for a topic of MQTT.
  /// Nil for any other text, and also for a site in another partition than its own.
  public init?(routingKey: String) {
    let parts = routingKey.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 5, routingKey.utf8.count <= 96 else { return nil }
    self.init(site: String(parts[3]), device: String(parts[4]))
    guard self.routingKey == routingKey else { return nil }
  }

  /// Whether a text is a name of a site or of a device.
  public static func isName(_ text: String) -> Bool {
    guard (1...32).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else { return false }
    return text.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// The partition of the site: the first octet of the SHA-256 of its name, modulo 64.
  public var partition: Int { Int(SHA256.hash(Array(site.utf8))[0]) % Self.partitions }

  /// The common name of the device's certificate, such as `berlin.door`, which is also its user at the broker.
  public var commonName: String { "\(site).\(device)" }

  /// The topic of MQTT for the device's messages, such as `fleet/v1/17/berlin/door`.
  public var topic: String { "\(Self.prefix)/\(partition)/\(site)/\(device)" }

  /// The topic as a routing key of AMQP: dots in place of slashes.
  public var routingKey: String { Self.routingKey(of: topic) }

  /// The topic of MQTT for messages of the hub to the device.
  public var commandTopic: String { "\(topic)/hub" }

  /// The topic for messages of the hub as a routing key of AMQP.
  public var commandRoutingKey: String { Self.routingKey(of: commandTopic) }

  private static func routingKey(of topic: String) -> String { String(topic.map { $0 == "/" ? "." : $0 }) }
}
