import Publishing

/// The address and the credentials of an MQTT broker.
public struct Broker: Hashable {
  public enum Encryption: Hashable, Sendable {
    case none
    /// TLS, with a PEM file of certificate authorities, or with those of the system if `nil`.
    case tls(certificates: String?)
  }

  /// A host name or a numeric address.
  public var host: String
  public var port: Int
  public var encryption: Encryption
  public var username: String?
  public var password: String?
  /// The client id; a broker closes an older connection with the same id.
  public var client: String

  public init(
    host: String, port: Int, encryption: Encryption = .none, username: String? = nil, password: String? = nil, client: String
  ) {
    self.host = host
    self.port = port
    self.encryption = encryption
    self.username = username
    self.password = password
    self.client = client
  }
}
