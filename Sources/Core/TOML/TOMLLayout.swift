import ConfigurationTree

/// The places of statements and values in a TOML text, for an editor that keeps all the rest of it.
///
/// Places are ranges of octets of the UTF-8 text.
public struct TOMLLayout: Sendable {
  /// A header, or a key with its value.
  public struct Statement: Hashable, Sendable {
    public let isHeader: Bool
    /// The position of the first character.
    public let position: SourcePosition
    /// The octets of the statement, without a comment behind it and the line end.
    public let octets: Range<Int>
  }

  /// The statements in the order of the text.
  public internal(set) var statements: [Statement] = []
  /// The octets of each value, such as a text with its quotes, by the position of the value.
  public internal(set) var values: [SourcePosition: Range<Int>] = [:]
}

extension TOMLLayout {
  /// Returns the octets of a table with its own lines and the comments that belong to it; nil if no header has this position.
  ///
  /// The comment lines directly above the header belong to the table, except at the beginning of the text, where a comment is about the
  /// whole file. So do comments behind and between its keys, and comment lines directly below the last key. A comment directly above the
  /// next header belongs to that table, and a comment between empty lines belongs to none. The range contains the empty lines between the
  /// table and the text that follows.
  ///
  /// - Parameters:
  ///   - position: the position of the header.
  ///   - text: the octets of the whole text.
  public func table(at position: SourcePosition, in text: [UInt8]) -> Range<Int>? {
    guard let first = statements.firstIndex(where: { $0.isHeader && $0.position == position }) else { return nil }
    let next = statements[(first + 1)...].firstIndex(where: \.isHeader)
    let last = statements[(next ?? statements.endIndex) - 1]
    let lines = TextLines(text)
    var start = lines.index(at: statements[first].octets.lowerBound)
    while start > 0, lines.isComment(start - 1) { start -= 1 }
    if start == 0 { start = lines.index(at: statements[first].octets.lowerBound) }
    let limit = next.map { lines.index(at: statements[$0].octets.lowerBound) } ?? lines.count
    var end = lines.index(at: last.octets.upperBound) + 1
    var below = end
    while below < limit, lines.isComment(below) { below += 1 }
    // Without an empty line, the comment stands above the next table.
    if below < limit || next == nil { end = below }
    while end < limit, lines.isEmpty(end) { end += 1 }
    return lines.start(of: start)..<lines.start(of: end)
  }
}

/// The lines of a text by their numbers, from 0.
private struct TextLines {
  private let text: [UInt8]
  private let starts: [Int]

  init(_ text: [UInt8]) {
    self.text = text
    starts = [0] + text.indices.filter { text[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }.filter { $0 < text.count }
  }

  var count: Int { text.isEmpty ? 0 : starts.count }

  /// Returns the line of an octet.
  func index(at octet: Int) -> Int { (starts.lastIndex { $0 <= octet }) ?? 0 }

  func start(of line: Int) -> Int { line < starts.count ? starts[line] : text.count }

  func isComment(_ line: Int) -> Bool { firstVisible(line) == UInt8(ascii: "#") }

  func isEmpty(_ line: Int) -> Bool { firstVisible(line) == nil }

  private func firstVisible(_ line: Int) -> UInt8? {
    text[start(of: line)..<start(of: line + 1)].first { ![UInt8(ascii: " "), UInt8(ascii: "\t"), 13, 10].contains($0) }
  }
}
