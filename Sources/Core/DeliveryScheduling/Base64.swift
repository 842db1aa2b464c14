/// The base64 encoding of RFC 4648, section 4: the standard alphabet, with padding.
public enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func text(_ octets: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    var rest = Array(octets)[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 { text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "=")) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the octets of a text; `nil` if it is not base64. Padding is optional.
  public static func octets(_ text: String) -> [UInt8]? {
    var octets: [UInt8] = []
    var (bits, count) = (0, 0)
    let padding = text.utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2, padding == 0 || text.utf8.count % 4 == 0 else { return nil }
    for character in text.utf8.dropLast(padding) {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        octets.append(UInt8(bits >> count & 255))
      }
    }
    // A single character holds no octet, and the bits after the last octet must be zero.
    guard count < 6, bits & (1 << count - 1) == 0 else { return nil }
    return octets
  }
}
