internal import CCurl

/// Authentication codes of messages, by the libcrypto that libcurl needs anyway.
public enum MessageAuthentication {
  /// Returns the HMAC-SHA256 of a message, 32 octets. RFC 2104.
  public static func code(of message: [UInt8], key: [UInt8]) throws(MissingLibrary) -> [UInt8] {
    var library = crypto_library()
    if let problem = crypto_library_load(&library) { throw MissingLibrary(problem, package: "libssl3") }
    var code = [UInt8](repeating: 0, count: 32)
    _ = library.hmac(library.sha256(), key, Int32(key.count), message, message.count, &code, nil)
    return code
  }
}
