/// Writes items of CBOR (RFC 8949) in their shortest form.
struct CBORWriter {
  private(set) var octets: [UInt8] = []

  mutating func array(_ count: Int) { head(4, UInt64(count)) }

  mutating func integer(_ value: Int64) {
    if value < 0 { head(1, UInt64(-1 - value)) } else { head(0, UInt64(value)) }
  }

  mutating func optional(_ value: Int64?) {
    if let value { integer(value) } else { null() }
  }

  mutating func optional(_ value: Bool?) {
    if let value { octets.append(value ? 0xF5 : 0xF4) } else { null() }
  }

  mutating func null() { octets.append(0xF6) }

  mutating func octets(_ string: [UInt8]) {
    head(2, UInt64(string.count))
    octets += string
  }

  mutating func words(_ high: UInt64, _ low: UInt64) {
    head(2, 16)
    append(high, count: 8)
    append(low, count: 8)
  }

  mutating func text(_ text: String) {
    let string = Array(text.utf8)
    head(3, UInt64(string.count))
    octets += string
  }

  private mutating func head(_ kind: UInt8, _ argument: UInt64) {
    switch argument {
    case 0..<24: octets.append(kind << 5 | UInt8(argument))
    case ...0xFF: sized(kind, 24, argument, count: 1)
    case ...0xFFFF: sized(kind, 25, argument, count: 2)
    case ...0xFFFF_FFFF: sized(kind, 26, argument, count: 4)
    default: sized(kind, 27, argument, count: 8)
    }
  }

  private mutating func sized(_ kind: UInt8, _ size: UInt8, _ argument: UInt64, count: Int) {
    octets.append(kind << 5 | size)
    append(argument, count: count)
  }

  private mutating func append(_ word: UInt64, count: Int) {
    for shift in stride(from: (count - 1) * 8, through: 0, by: -8) { octets.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
  }
}
