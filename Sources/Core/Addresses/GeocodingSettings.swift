/// The server of addresses, which learns rounded locations of the device.
public struct GeocodingSettings: Hashable, Sendable {
  /// The address of a server with the interface of Nominatim, without the path of a query.
  public var url: String
  /// The language of addresses for clients that name none; nil for the top-level `language`.
  public var language: String?

  public init(url: String, language: String? = nil) {
    (self.url, self.language) = (url, language)
  }

  /// Whether rounded locations cross a network unencrypted.
  public var isUnencrypted: Bool {
    guard url.hasPrefix("http://") else { return false }
    let host = url.dropFirst("http://".count).prefix { !"/?#".contains($0) }
    return !["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix("\($0):") }
  }
}
