import Publishing

/// An MQTT broker and how it is spoken to, with its secrets.
public struct Broker {
  public enum Encryption: Hashable, Sendable {
    case none
    /// TLS, and the broker's certificate is verified with a file of certificate authorities in PEM, or with the system's.
    case tls(certificates: String?)
  }

  /// A name or a numeric address.
  public var host: String
  public var port: Int
  public var encryption: Encryption
  public var username: String?
  public var password: String?
  /// A broker has one connection of each; a second one ends the first.
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
