import Instants

/// The settings of a web address that receives events.
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
  /// The key that signs requests; `nil` if they are not signed.
  public let secret: SecretPlace?
  /// The path of a file of certificate authorities that replaces the system's.
  public let certificates: String?
  /// The timeout of one attempt.
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

  /// The host of the address; `nil` if the address is secret.
  var host: Substring? {
    guard case .plain(let url) = url else { return nil }
    let schemeEnd = url.utf8.firstIndex(of: UInt8(ascii: "/")) ?? url.startIndex
    return url[schemeEnd...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
  }

  /// The host and the port of the address; `nil` if the address is secret.
  public var endpoint: (host: String, port: Int)? {
    guard case .plain(let url) = url, let host else { return nil }
    let end = host.last == "]" ? nil : host.lastIndex(of: ":")
    let name = host[..<(end ?? host.endIndex)].filter { $0 != "[" && $0 != "]" }
    let port = end.flatMap { Int(host[host.index(after: $0)...]) } ?? (url.hasPrefix("https:") ? 443 : 80)
    return (name, port)
  }
}
