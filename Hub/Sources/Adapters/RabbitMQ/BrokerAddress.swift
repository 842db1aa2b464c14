public import BrokerDefinitions

/// A node of the broker.
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
  public var host: String
  public var port: UInt16

  private static let scheme = "amqps://"
  private static let defaultPort: UInt16 = 5671

  /// Parses a URL such as `amqps://broker.example:5671`; nil for any other text.
  public init?(_ url: some StringProtocol) {
    guard url.hasPrefix(Self.scheme) else { return nil }
    let parts = url.dropFirst(Self.scheme.count).split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty, parts.count <= 2, !host.contains("/"), !host.contains("@") else { return nil }
    guard let port = parts.count == 2 ? UInt16(parts[1]) : Self.defaultPort, port > 0 else { return nil }
    (self.host, self.port) = (String(host), port)
  }

  public var description: String { "\(Self.scheme)\(host):\(port)" }
}

/// The files and the password with which a program proves its identity to the broker.
///
/// With the certificate of the authority, it also verifies that of the broker.
public struct BrokerCredentials: Sendable {
  public var authority: String
  public var certificate: String
  public var key: String
  public var password: HubPassword

  public init(authority: String, certificate: String, key: String, password: HubPassword) {
    (self.authority, self.certificate, self.key, self.password) = (authority, certificate, key, password)
  }
}

/// The error of a broker or of a link to it.
public struct BrokerError: Error, CustomStringConvertible {
  public var description: String

  init(_ address: BrokerAddress, _ text: String) { description = "broker \(address): \(text)" }

  /// Adds the remedy to the error of a login.
  init(login error: BrokerError) {
    let remedies = [
      ("ACCESS_REFUSED", "\"beaconmon-hub admin users\" gives the broker the password of this machine's settings"),
      ("sasl method", "the broker needs \"auth_mechanisms.1 = PLAIN\""),
    ]
    var text = error.description
    if let (_, remedy) = remedies.first(where: { text.contains($0.0) }) {
      if text.hasSuffix(".") { text.removeLast() }
      text += "; \(remedy)"
    }
    description = text
  }
}
