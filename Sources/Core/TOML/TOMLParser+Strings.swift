// Each function starts with the cursor at the opening quote and ends behind the closing one.
extension TOMLParser {
  /// Parses a basic string: `"…"`.
  mutating func basicString() throws(TOMLSyntaxError) -> String {
    cursor.advance()
    var bytes: [UInt8] = []
    while let byte = cursor.next, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        bytes += try escape().utf8
      } else {
        bytes.append(try characterByte())
      }
    }
    guard cursor.skip("\"") else { throw cursor.error("the text never ends; put a \" at its end") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses a literal string: `'…'`.
  mutating func literalString() throws(TOMLSyntaxError) -> String {
    cursor.advance()
    var bytes: [UInt8] = []
    while let byte = cursor.next, byte != UInt8(ascii: "'") { bytes.append(try characterByte()) }
    guard cursor.skip("'") else { throw cursor.error("the text never ends; put a ' at its end") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses a multi-line basic string: `"""…"""`.
  mutating func longBasicString() throws(TOMLSyntaxError) -> String {
    _ = cursor.skip("\"\"\"")
    _ = cursor.skipLineEnd()
    var bytes: [UInt8] = []
    while cursor.next != nil, !endsLongString("\"") {
      if cursor.next != UInt8(ascii: "\\") {
        bytes += try longCharacterBytes()
      } else if try !skipContinuation() {
        bytes += try escape().utf8
      }
    }
    guard cursor.skip("\"\"\"") else { throw cursor.error("the text never ends; put \"\"\" at its end") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Parses a multi-line literal string: `'''…'''`.
  mutating func longLiteralString() throws(TOMLSyntaxError) -> String {
    _ = cursor.skip("'''")
    _ = cursor.skipLineEnd()
    var bytes: [UInt8] = []
    while cursor.next != nil, !endsLongString("'") { bytes += try longCharacterBytes() }
    guard cursor.skip("'''") else { throw cursor.error("the text never ends; put ''' at its end") }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension TOMLParser {
  private mutating func characterByte() throws(TOMLSyntaxError) -> UInt8 {
    guard let byte = cursor.next, !cursor.isAt("\n"), !cursor.isAt("\r\n") else {
      throw cursor.error("the text does not end on its line; put a quote at its end")
    }
    guard !byte.isForbiddenControl else { throw controlCharacter() }
    cursor.advance()
    return byte
  }

  private mutating func longCharacterBytes() throws(TOMLSyntaxError) -> [UInt8] {
    // Every line end becomes LF, whichever the file has.
    cursor.skipLineEnd() ? [UInt8(ascii: "\n")] : [try characterByte()]
  }

  /// Returns whether these quotes end the string: of three to five, the last three do; more than five are an error.
  private func endsLongString(_ quote: Character) -> Bool {
    let quotes = cursor.count(of: quote, upTo: 6)
    return quotes == 3 || quotes == 6
  }

  /// Skips a backslash at the end of a line and the white space after it, and returns whether there was one.
  private mutating func skipContinuation() throws(TOMLSyntaxError) -> Bool {
    var ahead = cursor
    ahead.advance()
    ahead.skipBlanks()
    guard ahead.skipLineEnd() else { return false }
    repeat { ahead.skipBlanks() } while ahead.skipLineEnd()
    cursor = ahead
    return true
  }

  private mutating func escape() throws(TOMLSyntaxError) -> String {
    let start = cursor
    cursor.advance()
    let letter = cursor.next
    cursor.advance()
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "u"): return try unicodeScalar(digits: 4, from: start)
    case UInt8(ascii: "U"): return try unicodeScalar(digits: 8, from: start)
    default: throw start.error("this escape is not one of \\b \\t \\n \\f \\r \\\" \\\\ \\u \\U; write \\\\ for a backslash")
    }
  }

  private mutating func unicodeScalar(digits: Int, from start: TOMLCursor) throws(TOMLSyntaxError) -> String {
    var left = digits
    let text = cursor.take { byte in
      left -= 1
      return left >= 0 && Character(Unicode.Scalar(byte)).isHexDigit
    }
    guard text.utf8.count == digits, let scalar = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init) else {
      throw start.error("this escape is not a character; write \\u and four hexadecimal digits or \\U and eight")
    }
    return String(Character(scalar))
  }
}
