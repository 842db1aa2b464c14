/// The settings of an MQTT broker that receives events.
public struct BrokerSettings: Hashable, Sendable {
  public let host: String
  public let port: Int
  public let isEncrypted: Bool
  /// The path of a file of certificate authorities that replaces the system's.
  public let certificates: String?
  public let username: String?
  public let password: SecretPlace?
  /// The topic below which everything is published; `nil` for `beaconmon/` and the device's id.
  public let topic: String?
  /// The prefix of Home Assistant's discovery; `nil` for no discovery.
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
