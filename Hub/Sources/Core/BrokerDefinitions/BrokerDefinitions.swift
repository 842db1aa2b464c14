import Partitions

/// The queues and the users of RabbitMQ that a fleet needs, in the format of `rabbitmqctl import_definitions`.
///
/// No device has a password. On the MQTT listener, a name with its right password would take precedence over the certificate of a
/// connection. At the AMQP listener it would log in, and RabbitMQ checks the topic permission of the first routing key of a message only.
public struct BrokerDefinitions: Hashable, Sendable {
  /// The user of workers and of `beaconmon-hub status`.
  public static let hubUser = "hub"

  /// The patterns of the hub's user for configure, write and read.
  static let hubRights = [#"^fleet\.[0-9]+$"#, #"^(fleet\.[0-9]+|amq\.topic)$"#, #"^(fleet\.[0-9]+|amq\.topic)$"#]

  /// The maximum number of connections of a device at the same time.
  ///
  /// A device has one connection. When it loses its power, it returns with another client identifier, and the broker keeps the dead
  /// connection for two keep-alive intervals, two minutes. A device that starts every 15 seconds has eight of them.
  static let mostConnections = 16

  /// The value of `x-delivery-limit` without a limit, for a version that has one.
  public static let unlimitedDeliveries = -1

  /// Whether quorum queues of a version limit deliveries to 20 if nothing else is declared, and drop messages beyond that.
  ///
  /// Earlier versions have no limit, and take a negative one for 0.
  public static func limitsDeliveries(_ majorVersion: Int?) -> Bool { majorVersion.map { $0 >= 4 } ?? false }

  private let map: QueueMap
  private let devices: [DeviceLogin]
  private let hubHash: String
  private let majorVersion: Int?

  /// - Parameters:
  ///   - hubHash: the hash of the password of the user `hub`
  ///   - majorVersion: the first number of the version of RabbitMQ; nil if it is unknown
  public init(map: QueueMap, devices: [DeviceLogin], hubHash: String, majorVersion: Int?) {
    (self.map, self.devices, self.hubHash, self.majorVersion) = (map, devices, hubHash, majorVersion)
  }

  /// All definitions in one document.
  public var json: String { Self.document(queues + users + permissions) }

  /// The definitions in two documents, the second one with the permissions.
  ///
  /// RabbitMQ permits every topic to a user with permissions but without topic permissions, and imports the permissions of a document
  /// first. An import that ends in between must leave users without any right.
  public var steps: [String] { [Self.document(queues + users), Self.document(permissions)] }

  /// The queues and their bindings.
  /// They have to exist before the first device connects: a broker acknowledges and drops a message without a queue.
  private var queues: [String] {
    let limit = Self.limitsDeliveries(majorVersion) ? #","x-delivery-limit":\#(Self.unlimitedDeliveries)"# : ""
    let queues = (0..<map.queues).map { queue in
      #"{"name":"\#(QueueMap.name(ofQueue: queue))","vhost":"/","durable":true,"auto_delete":false,"#
        + #""arguments":{"x-queue-type":"quorum","x-single-active-consumer":true\#(limit)}}"#
    }
    let bindings = (0..<map.queues).flatMap { queue in
      map.patterns(ofQueue: queue).map { pattern in
        #"{"source":"amq.topic","vhost":"/","destination":"\#(QueueMap.name(ofQueue: queue))","destination_type":"queue","#
          + #""routing_key":"\#(pattern)","arguments":{}}"#
      }
    }
    return [Self.list("vhosts", [#"{"name":"/"}"#]), Self.list("queues", queues), Self.list("bindings", bindings)]
  }

  private var users: [String] {
    let users = [Self.user(Self.hubUser, hash: hubHash)] + devices.map { Self.user($0.name, hash: "", connections: Self.mostConnections) }
    return [Self.list("users", users), Self.list("topic_permissions", devices.map(Self.topicPermission))]
  }

  private var permissions: [String] {
    let rights = Self.hubRights
    let hub = Self.permission(user: Self.hubUser, configure: rights[0], write: rights[1], read: rights[2])
    let others = devices.map { login in
      let rights = DeviceRights(of: login.device)
      return Self.permission(user: login.name, configure: rights.configure, write: rights.write, read: rights.read)
    }
    return [Self.list("permissions", [hub] + others)]
  }

  /// - Parameter connections: the maximum number of connections; nil without a limit
  private static func user(_ name: String, hash: String, connections: Int? = nil) -> String {
    let user = object(["name": name, "password_hash": hash, "hashing_algorithm": "rabbit_password_hashing_sha256", "tags": ""])
    return user.dropLast() + (connections.map { #","limits":{"max-connections":\#($0)}}"# } ?? "}")
  }

  private static func permission(user: String, configure: String, write: String, read: String) -> String {
    object(["user": user, "vhost": DeviceRights.vhost, "configure": configure, "write": write, "read": read])
  }

  private static func topicPermission(of login: DeviceLogin) -> String {
    let rights = DeviceRights(of: login.device)
    return object([
      "user": login.name, "vhost": DeviceRights.vhost, "exchange": DeviceRights.exchange, "write": rights.topicWrite,
      "read": rights.topicRead,
    ])
  }

  private static func document(_ parts: [String]) -> String { "{\(parts.joined(separator: ",\n"))}\n" }

  private static func list(_ name: String, _ objects: [String]) -> String { "\"\(name)\":[\(objects.joined(separator: ",\n"))]" }

  private static func object(_ members: KeyValuePairs<String, String>) -> String {
    // No name, no hash and no pattern has a quotation mark or a control character.
    "{"
      + members.map { "\"\($0)\":\"\($1.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\"))\"" }.joined(
        separator: ",") + "}"
  }
}
