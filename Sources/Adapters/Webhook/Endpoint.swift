import Instants

/// Where a webhook goes, with its secrets.
public struct Endpoint {
  /// http or https.
  public var url: String
  /// Sent with every request, besides our own; no line breaks.
  public var headers: [(name: String, value: String)]
  /// Nil: requests are not signed.
  public var key: SigningKey?
  /// A file of certificate authorities in PEM that are trusted in place of the system's.
  public var certificates: String?
  /// For one attempt, from the look-up of the host to the end of the answer.
  public var timeout: Span

  public init(
    url: String, headers: [(name: String, value: String)] = [], key: SigningKey? = nil, certificates: String? = nil,
    timeout: Span = .seconds(15)
  ) {
    self.url = url
    self.headers = headers
    self.key = key
    self.certificates = certificates
    self.timeout = timeout
  }
}
