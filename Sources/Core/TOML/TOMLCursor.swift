import ConfigurationTree

/// A position in the UTF-8 of a text that moves forward.
struct TOMLCursor {
  private let bytes: [UInt8]
  /// The number of bytes before the position.
  private(set) var position = 0
  private var line = 1
  private var column = 1
  private let number: Int

  /// - Parameter number: The number of the text in positions.
  init(_ text: String, number: Int) {
    self.number = number
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {  // a byte order mark
      position = 3
    }
  }

  /// The line and the column of the position.
  var place: SourcePosition { SourcePosition(line: line, column: column, text: number) }

  /// The byte at the position; nil at the end.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Moves forward by one byte; has no effect at the end.
  mutating func advance() {
    guard let byte = next else { return }
    position += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {  // the first byte of a character
      column += 1
    }
  }

  func isAt(_ token: StaticString) -> Bool {
    let end = position + token.utf8CodeUnitCount
    return end <= bytes.count && token.withUTF8Buffer { bytes[position..<end].elementsEqual($0) }
  }

  /// Returns how many times in a row `character`, which is ASCII, occurs here.
  func count(of character: Character, upTo limit: Int) -> Int {
    bytes[position...].prefix(limit).prefix { $0 == character.asciiValue }.count
  }

  /// Skips `token` if the text continues with it.
  mutating func skip(_ token: StaticString) -> Bool {
    guard isAt(token) else { return false }
    for _ in 0..<token.utf8CodeUnitCount { advance() }
    return true
  }

  /// Takes all bytes that `belongs` accepts.
  mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = next, belongs(byte) { advance() }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func skipBlanks() {
    while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { advance() }
  }

  mutating func skipLineEnd() -> Bool { skip("\n") || skip("\r\n") }

  /// The character at the position in quotes, for an error message.
  var found: String {
    guard next != nil else { return "the end of the file" }
    guard !isAt("\n") && !isAt("\r\n") else { return "the end of the line" }
    return String(decoding: bytes[position...].prefix(4), as: UTF8.self).first.map { "\"\($0)\"" } ?? "nothing"
  }

  func error(_ message: String) -> TOMLSyntaxError {
    TOMLSyntaxError(line: line, column: column, message: message)
  }
}
