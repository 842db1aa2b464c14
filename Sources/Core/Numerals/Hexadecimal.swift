/// Numbers and octets as hexadecimal digits.
public enum Hexadecimal {
  /// Returns the digits of a number, with zeros before them.
  ///
  /// - Parameter count: the least number of digits
  public static func digits(_ number: UInt64, count: Int = 16, uppercase: Bool = false) -> String {
    let digits = String(number, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }

  /// Returns the two digits of an octet.
  public static func digits(of octet: UInt8, uppercase: Bool = false) -> String { digits(UInt64(octet), count: 2, uppercase: uppercase) }

  /// Returns two digits for each octet.
  public static func digits(of octets: some Sequence<UInt8>) -> String { octets.map { digits(of: $0) }.joined() }

  /// Returns 128 bits in the form of a UUID: five groups of lower-case digits with hyphens (RFC 9562, section 4).
  public static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    let all = Array(digits(high) + digits(low))
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }.joined(separator: "-")
  }
}
