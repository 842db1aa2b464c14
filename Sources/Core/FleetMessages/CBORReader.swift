/// Reads the items of CBOR (RFC 8949) that fleet messages consist of, in their order.
///
/// The reader trusts no length: it compares each one with the octets that are left before it allocates, and each number with its limit.
/// It refuses indefinite lengths and floating-point numbers.
struct CBORReader {
  private let octets: [UInt8]
  private(set) var offset = 0

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  var isAtEnd: Bool { offset == octets.count }

  private enum Kind: UInt8 {
    case unsigned = 0
    case negative = 1
    case octets = 2
    case text = 3
    case array = 4
    case map = 5
    case tag = 6
    case simple = 7
  }

  private mutating func head() throws(FleetMessageError) -> (kind: Kind, argument: UInt64) {
    let first = try octet()
    // Three bits have eight values, and there are eight kinds.
    guard let kind = Kind(rawValue: first >> 5) else { throw .unexpectedItem(at: offset - 1) }
    switch first & 31 {
    case let short where short < 24: return (kind, UInt64(short))
    case let size where size < 28:
      var argument: UInt64 = 0
      for _ in 0..<(1 << Int(size - 24)) { argument = argument << 8 | UInt64(try octet()) }
      return (kind, argument)
    default: throw .unexpectedItem(at: offset - 1)
    }
  }

  private mutating func octet() throws(FleetMessageError) -> UInt8 {
    guard offset < octets.count else { throw .truncated }
    defer { offset += 1 }
    return octets[offset]
  }

  private mutating func argument(of kind: Kind, upTo limit: UInt64) throws(FleetMessageError) -> UInt64 {
    let begin = offset
    let item = try head()
    guard item.kind == kind else { throw .unexpectedItem(at: begin) }
    guard item.argument <= limit else { throw .outOfRange(at: begin) }
    return item.argument
  }

  mutating func unsigned(upTo limit: Int64) throws(FleetMessageError) -> Int64 {
    Int64(try argument(of: .unsigned, upTo: UInt64(limit)))
  }

  mutating func integer(in limits: ClosedRange<Int64>) throws(FleetMessageError) -> Int64 {
    let begin = offset
    let item = try head()
    guard item.argument <= UInt64(Int64.max) else { throw .outOfRange(at: begin) }
    let value: Int64
    switch item.kind {
    case .unsigned: value = Int64(item.argument)
    case .negative: value = -1 - Int64(item.argument)
    default: throw .unexpectedItem(at: begin)
    }
    guard limits.contains(value) else { throw .outOfRange(at: begin) }
    return value
  }

  /// Returns the number of items of an array, which follow.
  mutating func array(upTo limit: Int) throws(FleetMessageError) -> Int { Int(try argument(of: .array, upTo: UInt64(limit))) }

  /// Returns the two words of a string of 16 octets.
  mutating func words() throws(FleetMessageError) -> (high: UInt64, low: UInt64) {
    let begin = offset
    guard try argument(of: .octets, upTo: 16) == 16 else { throw .outOfRange(at: begin) }
    guard octets.count - offset >= 16 else { throw .truncated }
    defer { offset += 16 }
    return (
      octets[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }, octets[offset + 8..<offset + 16].reduce(0) { $0 << 8 | UInt64($1) }
    )
  }

  mutating func octets(upTo limit: Int) throws(FleetMessageError) -> [UInt8] { try string(.octets, upTo: limit) }

  mutating func text(upTo limit: Int) throws(FleetMessageError) -> String {
    let begin = offset
    let octets = try string(.text, upTo: limit)
    guard let text = String(validating: octets, as: UTF8.self) else { throw .unexpectedItem(at: begin) }
    return text
  }

  private mutating func string(_ kind: Kind, upTo limit: Int) throws(FleetMessageError) -> [UInt8] {
    let count = Int(try argument(of: kind, upTo: UInt64(limit)))
    guard count <= octets.count - offset else { throw .truncated }
    defer { offset += count }
    return Array(octets[offset..<offset + count])
  }

  /// Whether the next item is null, which is then read.
  mutating func null() -> Bool { simple(0xF6) }

  /// Returns the next item if it is true or false; nil for null.
  mutating func optionalBool() throws(FleetMessageError) -> Bool? {
    if simple(0xF5) { return true }
    if simple(0xF4) { return false }
    guard null() else { throw .unexpectedItem(at: offset) }
    return nil
  }

  private mutating func simple(_ value: UInt8) -> Bool {
    guard offset < octets.count, octets[offset] == value else { return false }
    offset += 1
    return true
  }

  /// Skips an item that a later version has added: any number or string, or arrays and maps down to `depth` levels.
  mutating func skip(depth: Int = 4) throws(FleetMessageError) {
    let begin = offset
    guard depth > 0 else { throw .outOfRange(at: begin) }
    let item = try head()
    let left = UInt64(octets.count - offset)
    switch item.kind {
    case .unsigned, .negative, .simple: break
    case .octets, .text:
      guard item.argument <= left else { throw .truncated }
      offset += Int(item.argument)
    case .array, .map:
      // Every item has at least one octet.
      guard item.argument <= left else { throw .truncated }
      for _ in 0..<item.argument * (item.kind == .map ? 2 : 1) { try skip(depth: depth - 1) }
    case .tag: try skip(depth: depth - 1)
    }
  }
}
