/// The error for a text that is not a JSON object or that a record cannot hold.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the error in octets from the beginning of the text.
  public let offset: Int
  public let problem: String

  public init(offset: Int, problem: String) {
    (self.offset, self.problem) = (offset, problem)
  }

  public var description: String { "octet \(offset + 1): \(problem)" }
}

/// Parses the JSON form of records (RFC 8259): objects of texts, numbers, flags, objects and lists of objects.
struct JSONReader {
  /// The maximum nesting. Records nest three deep; a text that nests deeper is foreign and must not exhaust the stack.
  private static let deepest = 8

  private let octets: [UInt8]
  /// Whether lists of other values than objects are skipped instead of being errors.
  private let isForeign: Bool
  private var place = 0
  private var depth = 0

  init(_ text: String, isForeign: Bool = false) {
    octets = Array(text.utf8)
    self.isForeign = isForeign
  }

  mutating func document() throws(JSONError) -> Record {
    let record = try object()
    skipBlanks()
    guard place == octets.count else { throw error("text after the object") }
    return record
  }

  private mutating func object() throws(JSONError) -> Record {
    try expect("{")
    depth += 1
    guard depth <= Self.deepest else { throw error("nests deeper than \(Self.deepest)") }
    var record = Record()
    if !follows("}") {
      repeat {
        let key = try string()
        try expect(":")
        record.append(key, try value())
      } while follows(",")
      try expect("}")
    }
    depth -= 1
    return record
  }

  /// Parses a value; `nil` for null, because a record omits unknown values.
  private mutating func value() throws(JSONError) -> RecordValue? {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return .record(try object())
    case UInt8(ascii: "["): return try list().map { .list($0) }
    case UInt8(ascii: "\""):
      return .text(try string())
    case let octet? where octet == UInt8(ascii: "-") || Self.isDigit(octet): return try number()
    default:
      if skip("true") { return .flag(true) }
      if skip("false") { return .flag(false) }
      if skip("null") { return nil }
      throw error("a value is missing")
    }
  }

  /// Parses a list of objects; `nil` for a foreign list of other values.
  private mutating func list() throws(JSONError) -> [Record]? {
    try expect("[")
    depth += 1
    guard depth <= Self.deepest else { throw error("nests deeper than \(Self.deepest)") }
    defer { depth -= 1 }
    if follows("]") { return [] }
    var records: [Record]? = []
    repeat {
      skipBlanks()
      if next == UInt8(ascii: "{") || !isForeign {
        let record = try object()
        records?.append(record)
      } else {
        _ = try value()
        records = nil
      }
    } while follows(",")
    try expect("]")
    return records
  }
}

// MARK: Numbers and texts

extension JSONReader {
  /// Parses a number. Its form determines the type, which the reader of the record converts to that of its field.
  private mutating func number() throws(JSONError) -> RecordValue {
    let start = place
    _ = skip("-")
    let whole = digits()
    guard whole == 1 || whole > 1 && octets[place - whole] != UInt8(ascii: "0") else { throw error("an invalid number") }
    let hasFraction = skip(".")
    let decimals = hasFraction ? digits() : 0
    let hasExponent = skip("e") || skip("E")
    if hasExponent { _ = skip("+") || skip("-") }
    guard !hasFraction || decimals > 0, !hasExponent || digits() > 0 else { throw error("an invalid number") }
    let text = String(decoding: octets[start..<place], as: UTF8.self)
    if !hasFraction && !hasExponent {
      if let count = UInt64(text) { return .count(count) }
      if let integer = Int64(text) { return .integer(integer) }
    }
    guard let quantity = Double(text), quantity.isFinite else { throw error("a number that is too large") }
    return .quantity(quantity, decimals: min(9, decimals))
  }

  private mutating func digits() -> Int {
    let count = octets[place...].prefix(while: Self.isDigit).count
    place += count
    return count
  }

  private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }

  private mutating func string() throws(JSONError) -> String {
    try expect("\"")
    var text = String.UnicodeScalarView()
    while true {
      let plain = octets[place...].prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      text.append(contentsOf: String(decoding: plain, as: UTF8.self).unicodeScalars)
      place += plain.count
      guard let end = next, end >= 0x20 else { throw error("a string does not end") }
      place += 1
      if end == UInt8(ascii: "\"") { return String(text) }
      text.append(try escaped())
    }
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    guard let letter = next else { throw error("a string does not end") }
    place += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      // An unpaired surrogate has no meaning.
      guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
      guard isAt("\\u") else { return "\u{FFFD}" }
      place += 2
      let other = try hexadecimal()
      guard UTF16.isTrailSurrogate(other) else { return "\u{FFFD}" }
      return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(other) - 0xDC00)) ?? "\u{FFFD}"
    default: throw error("an invalid escape")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt16 {
    let digits = octets[place...].prefix(4)
    guard digits.count == 4, !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits are missing") }
    place += 4
    return unit
  }
}

// MARK: Position in the text

extension JSONReader {
  private var next: UInt8? { place < octets.count ? octets[place] : nil }

  private func isAt(_ token: StaticString) -> Bool {
    token.withUTF8Buffer { octets[place...].starts(with: $0) }
  }

  /// Skips `token` if the text continues with it.
  private mutating func skip(_ token: StaticString) -> Bool {
    guard isAt(token) else { return false }
    place += token.utf8CodeUnitCount
    return true
  }

  private mutating func skipBlanks() {
    while let octet = next, [0x20, 0x09, 0x0A, 0x0D].contains(octet) { place += 1 }
  }

  /// Skips a structural `token` and the blanks before it, if the text continues with them.
  private mutating func follows(_ token: StaticString) -> Bool {
    skipBlanks()
    return skip(token)
  }

  private mutating func expect(_ token: StaticString) throws(JSONError) {
    guard follows(token) else { throw error("\(token) is missing") }
  }

  private func error(_ problem: String) -> JSONError { JSONError(offset: place, problem: problem) }
}
