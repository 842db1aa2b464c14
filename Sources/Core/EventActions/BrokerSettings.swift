/// An MQTT broker that takes events.
public struct BrokerSettings: Hashable, Sendable {
  public let host: String
  public let port: Int
  public let isEncrypted: Bool
  /// A file of certificate authorities in place of the system's.
  public let certificates: String?
  public let username: String?
  public let password: SecretPlace?
  /// Everything is published below it; nil: below `beaconmon/` and the device's id.
  public let topic: String?
  /// The prefix of Home Assistant's discovery; nil: it is not told.
  public let discovery: String?

  public init(
    host: String, port: Int? = nil, isEncrypted: Bool = false, certificates: String? = nil, username: String? = nil,
    password: SecretPlace? = nil, topic: String? = nil, discovery: String? = nil
  ) {
    self.host = host
    self.port = port ?? (isEncrypted ? 8883 : 1883)
    self.isEncrypted = isEncrypted
    self.certificates = certificates
    self.username = username
    self.password = password
    self.topic = topic
    self.discovery = discovery
  }
}
