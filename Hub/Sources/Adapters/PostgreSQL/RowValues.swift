extension [String?] {
  /// Returns a column as a number; nil for null and any other text.
  public func number<Number: FixedWidthInteger>(_ column: Int, _: Number.Type) -> Number? { self[column].flatMap { Number($0) } }

  /// Returns the octets of a column that PostgreSQL writes as `\x` and hexadecimal digits.
  public func octets(_ column: Int) -> [UInt8]? {
    guard let digits = self[column]?.utf8.dropFirst(2), digits.count.isMultiple(of: 2) else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      let value = digit <= UInt8(ascii: "9") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "a") &+ 10
      if let first = high {
        octets.append(first << 4 | value & 15)
        high = nil
      } else {
        high = value
      }
    }
    return octets
  }
}
