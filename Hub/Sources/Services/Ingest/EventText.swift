/// Finds what PostgreSQL would refuse about the text of an event, a value of `jsonb`.
///
/// A refusal by the database costs several transactions. A device that sends such texts without end would hold up all sites of its queue.
public struct EventText {
  /// Returns the reason for which the database refuses a text; nil if it takes it.
  public static func fault(of json: String) -> String? {
    var text = EventText(octets: Array(json.utf8))
    do throws(Fault) {
      try text.value(depth: 0)
      text.skipBlanks()
      guard text.next == nil else { throw text.fault("text after the value") }
      return nil
    } catch {
      return error.reason
    }
  }

  private struct Fault: Error {
    let reason: String
  }

  /// The maximum nesting. Events nest three deep.
  private static let deepest = 64
  /// The maximum sum of the digits of a number and its exponent: PostgreSQL takes 16,383 digits after the point.
  private static let mostDigits = 16_000

  private let octets: [UInt8]
  private var place = 0

  private init(octets: [UInt8]) { self.octets = octets }

  private var next: UInt8? { place < octets.count ? octets[place] : nil }

  private func fault(_ problem: String) -> Fault { Fault(reason: "the event is not JSON that is stored: octet \(place + 1): \(problem)") }

  private mutating func skipBlanks() {
    while let octet = next, [0x20, 0x09, 0x0A, 0x0D].contains(octet) { place += 1 }
  }

  /// Skips a token if the text continues with it.
  private mutating func skip(_ token: StaticString) -> Bool {
    guard token.withUTF8Buffer({ octets[place...].starts(with: $0) }) else { return false }
    place += token.utf8CodeUnitCount
    return true
  }

  private mutating func follows(_ token: StaticString) -> Bool {
    skipBlanks()
    return skip(token)
  }
}

// MARK: Values

extension EventText {
  private mutating func value(depth: Int) throws(Fault) {
    guard depth <= Self.deepest else { throw fault("nests deeper than \(Self.deepest)") }
    if follows("{") {
      try elements(until: "}") { (text) throws(Fault) in
        guard text.follows("\"") else { throw text.fault("a key is missing") }
        try text.string()
        guard text.follows(":") else { throw text.fault(": is missing") }
        try text.value(depth: depth + 1)
      }
    } else if skip("[") {
      try elements(until: "]") { (text) throws(Fault) in try text.value(depth: depth + 1) }
    } else if skip("\"") {
      try string()
    } else if !skip("true"), !skip("false"), !skip("null") {
      try number()
    }
  }

  private mutating func elements(until end: StaticString, _ element: (inout EventText) throws(Fault) -> Void) throws(Fault) {
    if follows(end) { return }
    repeat { try element(&self) } while follows(",")
    guard follows(end) else { throw fault("\(end) is missing") }
  }

  private mutating func number() throws(Fault) {
    let start = place
    _ = skip("-")
    let whole = digits()
    guard whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0") else { throw fault("a value is missing or invalid") }
    if skip("."), digits().isEmpty { throw fault("an invalid number") }
    let count = place - start
    var exponent = 0
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      let text = digits()
      guard !text.isEmpty else { throw fault("an invalid number") }
      exponent = Int(String(decoding: text, as: UTF8.self)) ?? .max
    }
    guard exponent <= Self.mostDigits - min(count, Self.mostDigits) else { throw fault("a number that is too large") }
  }

  private mutating func digits() -> ArraySlice<UInt8> {
    let digits = octets[place...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    place += digits.count
    return digits
  }

  /// Skips a text after its quotation mark.
  private mutating func string() throws(Fault) {
    while true {
      guard let octet = next, octet >= 0x20 else { throw fault("a text does not end, or has a control character") }
      place += 1
      if octet == UInt8(ascii: "\"") { return }
      guard octet == UInt8(ascii: "\\") else { continue }
      guard let letter = next, "\"\\/bfnrtu".utf8.contains(letter) else { throw fault("an invalid escape") }
      place += 1
      if letter == UInt8(ascii: "u") { try character() }
    }
  }

  /// Skips the digits of an escaped character, and the second half of a pair.
  private mutating func character() throws(Fault) {
    let unit = try hexadecimal()
    guard unit != 0 else { throw fault("a zero character") }
    guard !UTF16.isTrailSurrogate(unit) else { throw fault("half of a character") }
    guard UTF16.isLeadSurrogate(unit) else { return }
    guard skip("\\u"), UTF16.isTrailSurrogate(try hexadecimal()) else { throw fault("half of a character") }
  }

  private mutating func hexadecimal() throws(Fault) -> UInt16 {
    let digits = octets[place...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits are missing") }
    place += 4
    return unit
  }
}
