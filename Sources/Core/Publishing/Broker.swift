/// The address and the credentials of an MQTT broker.
public struct Broker: Hashable, Sendable {
  public enum Encryption: Hashable, Sendable {
    case none
    /// TLS, with a PEM file of certificate authorities, or with those of the system if `nil`.
    case tls(certificates: String?)
  }

  /// A certificate with which the client logs in, and its private key: the paths of PEM files.
  public struct Identity: Hashable, Sendable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) {
      (self.certificate, self.key) = (certificate, key)
    }
  }

  /// A host name or a numeric address.
  public var host: String
  public var port: Int
  public var encryption: Encryption
  public var username: String?
  public var password: String?
  /// The certificate of the client; nil for none.
  public var identity: Identity?
  /// The client id; a broker closes an older connection with the same id.
  public var client: String

  public init(
    host: String, port: Int, encryption: Encryption = .none, username: String? = nil, password: String? = nil, identity: Identity? = nil,
    client: String
  ) {
    self.host = host
    self.port = port
    self.encryption = encryption
    self.username = username
    self.password = password
    self.identity = identity
    self.client = client
  }
}
