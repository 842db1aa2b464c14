import Instants

/// A web address that takes events.
public struct WebhookSettings: Hashable, Sendable {
  public struct Header: Hashable, Sendable {
    public let name: String
    public let value: ConfiguredText

    public init(_ name: String, _ value: ConfiguredText) {
      self.name = name
      self.value = value
    }
  }

  public let url: ConfiguredText
  public let headers: [Header]
  /// With it requests are signed.
  public let secret: SecretPlace?
  /// A file of certificate authorities in place of the system's.
  public let certificates: String?
  /// For one attempt.
  public let timeout: Span

  public static let defaultTimeout = Span.seconds(15)

  public init(
    url: ConfiguredText, headers: [Header] = [], secret: SecretPlace? = nil, certificates: String? = nil, timeout: Span = defaultTimeout
  ) {
    self.url = url
    self.headers = headers
    self.secret = secret
    self.certificates = certificates
    self.timeout = timeout
  }

  /// Nil when the address is secret.
  var host: Substring? {
    guard case .plain(let url) = url else { return nil }
    let schemeEnd = url.utf8.firstIndex(of: UInt8(ascii: "/")) ?? url.startIndex
    return url[schemeEnd...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
  }
}
