import DeliveryScheduling
import HTTP

/// A symmetric secret of Standard Webhooks 1.0, "Signature scheme".
public struct SigningKey {
  private let octets: [UInt8]

  /// Reads `whsec_` and base64, or the base64 alone. Nil for anything else, and for a key that is not 24 to 64 octets long.
  public init?(_ text: String) {
    let prefix = "whsec_"
    guard let octets = Base64.octets(text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text), (24...64).contains(octets.count)
    else { return nil }
    self.octets = octets
  }

  /// The value of the header `webhook-signature`: `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`.
  ///
  /// - Parameter timestamp: seconds since the Unix epoch.
  func signature(id: String, timestamp: Int64, body: String) throws(MissingLibrary) -> String {
    "v1,\(Base64.text(try MessageAuthentication.code(of: Array("\(id).\(timestamp).\(body)".utf8), key: octets)))"
  }
}
