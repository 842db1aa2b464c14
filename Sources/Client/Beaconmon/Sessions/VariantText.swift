/// Reads `a{sv}` in GLib's text format of variants, as written by `g_variant_print`: `{'major': <uint16 1>}`.
///
/// A variant is replaced by its content. A number becomes an integer or a `Double`, by its spelling. Source: GLib reference,
/// "GVariant Text Format".
struct VariantText {
  /// Maximum depth of nested values. The details of an event nest in six pairs of brackets.
  private static let deepest = 32
  /// The words that can precede a value to state its type.
  private static let types: Set = [
    "byte", "int16", "uint16", "int32", "uint32", "handle", "int64", "uint64", "double", "objectpath", "signature",
  ]

  private struct NoVariant: Error {}

  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var depth = 0

  /// Returns the dictionary in `text`; nil if the text is not a dictionary with strings as keys.
  static func dictionary(_ text: String) -> [String: Any]? {
    var reader = VariantText(scalars: Array(text.unicodeScalars))
    do throws(NoVariant) {
      let value = try reader.value()
      reader.skipBlanks()
      return reader.next == nil ? value as? [String: Any] : nil
    } catch {
      return nil
    }
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private mutating func value() throws(NoVariant) -> Any {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw NoVariant() }
    skipBlanks()
    switch next {
    case "{": return try dictionary()
    case "[": return try list(from: "[", to: "]")
    case "(": return try list(from: "(", to: ")")
    case "<":
      place += 1
      let value = try value()
      try expect(">")
      return value
    case "'", "\"": return try string()
    case "@":
      // Skips the type of an empty container.
      while let scalar = next, scalar != " " { place += 1 }
      return try value()
    default: return try wordOrNumber()
    }
  }

  private mutating func dictionary() throws(NoVariant) -> [String: Any] {
    try expect("{")
    var result: [String: Any] = [:]
    if follows("}") { return result }
    repeat {
      guard let key = try value() as? String else { throw NoVariant() }
      try expect(":")
      result[key] = try value()
    } while follows(",")
    try expect("}")
    return result
  }

  private mutating func list(from opening: Unicode.Scalar, to closing: Unicode.Scalar) throws(NoVariant) -> [Any] {
    try expect(opening)
    var result: [Any] = []
    while !follows(closing) {
      result.append(try value())
      // A structure of one element ends with a comma.
      if !follows(",") {
        try expect(closing)
        break
      }
    }
    return result
  }

  private mutating func wordOrNumber() throws(NoVariant) -> Any {
    let start = place
    while let scalar = next, scalar.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains(scalar) { place += 1 }
    let word = String(String.UnicodeScalarView(scalars[start..<place]))
    if word == "true" { return true }
    if word == "false" { return false }
    if Self.types.contains(word) { return try value() }
    if word == "b", next == "'" || next == "\"" {
      // Byte strings occur in no event and are skipped.
      _ = try string()
      return [Any]()
    }
    if let number = Int64(word) { return number }
    if let number = UInt64(word) { return number }
    if word.hasPrefix("0x"), let number = UInt64(word.dropFirst(2), radix: 16) { return number }
    guard let number = Double(word) else { throw NoVariant() }
    return number
  }
}

// MARK: Strings

extension VariantText {
  private mutating func string() throws(NoVariant) -> String {
    guard let quote = next else { throw NoVariant() }
    place += 1
    var text = String.UnicodeScalarView()
    while let scalar = next {
      place += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escaped() : scalar)
    }
    throw NoVariant()
  }

  private mutating func escaped() throws(NoVariant) -> Unicode.Scalar {
    guard let letter = next else { throw NoVariant() }
    place += 1
    switch letter {
    case "a": return "\u{7}"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "v": return "\u{B}"
    case "u": return try scalar(digits: 4)
    case "U": return try scalar(digits: 8)
    default: return letter
    }
  }

  private mutating func scalar(digits: Int) throws(NoVariant) -> Unicode.Scalar {
    let text = String(String.UnicodeScalarView(scalars[place...].prefix(digits)))
    guard text.unicodeScalars.count == digits, let number = UInt32(text, radix: 16), let scalar = Unicode.Scalar(number) else {
      throw NoVariant()
    }
    place += digits
    return scalar
  }
}

// MARK: Position in the text

extension VariantText {
  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func skipBlanks() {
    while next == " " { place += 1 }
  }

  private mutating func follows(_ scalar: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(NoVariant) {
    guard follows(scalar) else { throw NoVariant() }
  }
}
