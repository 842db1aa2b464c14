import FleetMessages
import Partitions

/// The queues and the users of RabbitMQ that a fleet needs, in the format of `rabbitmqctl import_definitions`.
///
/// No user has a password: a name with its right password would take precedence over the certificate of a connection.
public struct BrokerDefinitions: Hashable, Sendable {
  /// The user of workers and of `beaconmon-hub status`.
  public static let hubUser = "hub"

  private let map: QueueMap
  private let devices: [FleetAddress]

  public init(map: QueueMap, devices: [FleetAddress]) { (self.map, self.devices) = (map, devices) }

  /// All definitions.
  public var json: String { "{\(queues),\n\(users)}\n" }

  /// The queues and their bindings.
  /// They have to exist before the first device connects: a broker acknowledges and drops a message without a queue.
  private var queues: String {
    let queues = (0..<map.queues).map { queue in
      #"{"name":"\#(QueueMap.name(ofQueue: queue))","vhost":"/","durable":true,"auto_delete":false,"#
        + #""arguments":{"x-queue-type":"quorum","x-single-active-consumer":true}}"#
    }
    let bindings = (0..<map.queues).flatMap { queue in
      map.patterns(ofQueue: queue).map { pattern in
        #"{"source":"amq.topic","vhost":"/","destination":"\#(QueueMap.name(ofQueue: queue))","destination_type":"queue","#
          + #""routing_key":"\#(pattern)","arguments":{}}"#
      }
    }
    return
      "\"vhosts\":[{\"name\":\"/\"}],\n\"queues\":[\(queues.joined(separator: ",\n"))],\n\"bindings\":[\(bindings.joined(separator: ",\n"))]"
  }

  private var users: String {
    let users = [Self.hubUser] + devices.map(\.commonName)
    let permissions = [
      Self.permission(
        user: Self.hubUser, configure: #"^fleet\.[0-9]+$"#, write: #"^(fleet\.[0-9]+|amq\.topic)$"#, read: #"^(fleet\.[0-9]+|amq\.topic)$"#)
    ]
    return """
      "users":[\(users.map(Self.user).joined(separator: ",\n"))],
      "permissions":[\((permissions + devices.map(Self.permission)).joined(separator: ",\n"))],
      "topic_permissions":[\(devices.map(Self.topicPermission).joined(separator: ",\n"))]
      """
  }

  private static func user(_ name: String) -> String {
    object(["name": name, "password_hash": "", "hashing_algorithm": "rabbit_password_hashing_sha256", "tags": ""])
  }

  /// Returns the patterns of a device's permissions.
  ///
  /// A device publishes, and subscribes to the messages of the hub with a client identifier of its common name and 16 random digits.
  /// Another device can have neither this identifier nor its queue, so it can neither end the connection nor read the messages.
  public static func patterns(of device: FleetAddress) -> (configure: String, write: String, read: String) {
    let queue = #"mqtt-subscription-\#(escaped(device.commonName))\.[0-9a-f]{16}qos[01]"#
    return ("^\(queue)$", #"^(amq\.topic|\#(queue))$"#, #"^(amq\.topic|\#(queue))$"#)
  }

  private static func permission(of device: FleetAddress) -> String {
    let patterns = patterns(of: device)
    return permission(user: device.commonName, configure: patterns.configure, write: patterns.write, read: patterns.read)
  }

  private static func permission(user: String, configure: String, write: String, read: String) -> String {
    object(["user": user, "vhost": "/", "configure": configure, "write": write, "read": read])
  }

  /// The patterns name the device itself. The variable `{username}` of RabbitMQ is put into a pattern without escapes.
  private static func topicPermission(of device: FleetAddress) -> String {
    let key = escaped(device.routingKey)
    return object(["user": device.commonName, "vhost": "/", "exchange": "amq.topic", "write": "^\(key)$", "read": #"^\#(key)\.hub$"#])
  }

  private static func escaped(_ text: String) -> String { text.split(separator: ".").joined(separator: #"\."#) }

  private static func object(_ members: KeyValuePairs<String, String>) -> String {
    // No name and no pattern has a quotation mark or a control character.
    "{"
      + members.map { "\"\($0)\":\"\($1.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\"))\"" }.joined(
        separator: ",") + "}"
  }
}
