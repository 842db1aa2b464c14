internal import CCrypto
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

/// Authentication codes of messages, by the libcrypto that libcurl needs anyway.
enum MessageAuthentication {
  /// Returns the HMAC-SHA256 of a message, 32 octets. RFC 2104.
  static func code(of message: [UInt8], key: [UInt8]) throws(MissingLibrary) -> [UInt8] {
    var library = crypto_library()
    if let problem = crypto_library_load(&library) { throw MissingLibrary(problem, package: "libssl3") }
    var code = [UInt8](repeating: 0, count: 32)
    _ = library.hmac(library.sha256(), key, Int32(key.count), message, message.count, &code, nil)
    return code
  }
}
