extension String {
  /// Returns the text filled with blanks to at least `width` columns, on the left if `isRight`.
  func padded(_ width: Int, isRight: Bool = false) -> String {
    let blanks = String(repeating: " ", count: Swift.max(0, width - columns))
    return isRight ? blanks + self : self + blanks
  }

  /// Returns exactly `width` columns: padded, or cut with `ellipsis` at its end.
  func fitted(_ width: Int, isRight: Bool = false, ellipsis: String = "") -> String {
    clipped(width, ellipsis: ellipsis).padded(width, isRight: isRight)
  }

  /// Returns at most `width` columns; a text that is cut ends with `ellipsis`. No character is cut in two.
  func clipped(_ width: Int, ellipsis: String) -> String {
    guard columns > width else { return self }
    let end = ellipsis.prefix(columns: width)
    return prefix(columns: width - end.columns) + end
  }

  /// Returns as many whole characters as fit into `width` columns.
  private func prefix(columns width: Int) -> String {
    var taken = 0
    return String(
      prefix { character in
        taken += character.columns
        return taken <= width
      })
  }

  /// Returns the lines of a paragraph that is broken between words, but not between a number and its unit.
  /// All lines but the first begin with `indent` blanks. A word that is wider than a line begins on a line of its own and is cut at the
  /// line's end.
  ///
  /// - Parameters:
  ///   - width: columns of a line; nil for one line of any length.
  ///   - taken: columns of the first line that other text takes.
  func wrapped(_ width: Int?, indent: Int = 0, taken: Int = 0) -> [String] {
    guard let width else { return [self] }
    // A line has room for a short word.
    let indent = Swift.min(indent, Swift.max(0, width - 10))
    var lines = [""]
    var room = width - taken
    for word in unbreakable {
      var word = word
      let needed = word.columns + (lines[lines.count - 1].isEmpty ? 0 : 1)
      if needed > room, !lines[lines.count - 1].isEmpty || room < Swift.min(width - indent, word.columns) {
        lines.append("")
        room = width - indent
      }
      while word.columns > room, room > 0 {
        let piece = word.prefix(columns: room)
        // A character that is wider than the whole line.
        guard !piece.isEmpty else { break }
        lines[lines.count - 1] += piece
        word.removeFirst(piece.count)
        lines.append("")
        room = width - indent
      }
      let isFirst = lines[lines.count - 1].isEmpty
      lines[lines.count - 1] += (isFirst ? "" : " ") + word
      room -= word.columns + (isFirst ? 0 : 1)
    }
    return lines.enumerated().map { $0 == 0 ? $1 : String(repeating: " ", count: indent) + $1 }
  }

  /// The words, a number together with its unit and its accuracy.
  private var unbreakable: [String] {
    let units: Set<Substring> = ["s", "min", "h", "d", "m", "km", "ft", "mi", "dBm", "dB"]
    let signs: Set<Substring> = ["±", "+-"]
    return split(separator: " ").reduce(into: []) { words, word in
      let isGlued = words.last.map { last in
        signs.contains(word) || signs.contains { last.hasSuffix($0) } || last.last?.isNumber == true && units.contains(word.trimmed)
      }
      if isGlued == true { words[words.count - 1] += " \(word)" } else { words.append(String(word)) }
    }
  }

  /// The text without terminal controls and characters that change the direction of a line.
  /// Names come from files and from other programs, and are not trusted.
  var printable: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isCommand ? "?" : scalar) }
    return String(scalars)
  }

  var withoutTrailingBlanks: String {
    var copy = self
    while copy.last == " " { copy.removeLast() }
    return copy
  }
}

extension [String] {
  /// Returns the sentences below a table, broken between words.
  /// In a window without room for that, each is one line and is cut.
  func below(_ size: TerminalSize, ellipsis: String) -> [String] {
    let lines = flatMap { $0.printable.wrapped(size.columns, indent: 2) }
    return lines.count <= Swift.max(count, size.rows / 2) ? lines : map { $0.printable.clipped(size.columns, ellipsis: ellipsis) }
  }
}

extension Substring {
  /// The word without trailing punctuation.
  fileprivate var trimmed: Substring { last.map { ",;.:".contains($0) } == true ? dropLast() : self }
}

extension Unicode.Scalar {
  fileprivate var isCommand: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Bidirectional embeddings, overrides, isolates and marks (UAX #9).
    case .format: [0x061C, 0x200E, 0x200F].contains(value) || (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    default: false
    }
  }
}
