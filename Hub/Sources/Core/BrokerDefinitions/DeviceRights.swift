import FleetMessages

/// The patterns of a device's permissions at the broker.
///
/// A device publishes, and subscribes to the messages of the hub with a client identifier of its common name and 16 random digits.
/// Another device can have neither this identifier nor its queue, so it can neither end the connection nor read the messages.
struct DeviceRights {
  static let vhost = "/"
  static let exchange = "amq.topic"

  let configure: String
  let write: String
  let read: String
  /// The topics on which the device publishes.
  let topicWrite: String
  let topicRead: String

  /// The patterns name the device itself. The variable `{username}` of RabbitMQ is put into a pattern without escapes.
  init(of device: FleetAddress) {
    let queue = #"mqtt-subscription-\#(Self.escaped(device.commonName))\.[0-9a-f]{16}qos[01]"#
    let key = Self.escaped(device.routingKey)
    configure = "^\(queue)$"
    write = #"^(amq\.topic|\#(queue))$"#
    read = write
    topicWrite = "^\(key)$"
    topicRead = #"^\#(key)\.hub$"#
  }

  private static func escaped(_ text: String) -> String { text.split(separator: ".").joined(separator: #"\."#) }
}
