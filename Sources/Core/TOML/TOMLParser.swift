import ConfigurationTree

/// Reads TOML 1.0 (toml.io/en/v1.0.0).
///
/// The parser fails at the first violation of the specification. It neither traps nor recurses without limit on any text, and every value
/// has its position.
public struct TOMLParser {
  /// The maximum nesting of arrays and inline tables, and the maximum number of parts of a key.
  public static let deepestNesting = 16

  var cursor: TOMLCursor
  /// The places of the statements; nil for a reader of values only.
  private var layout: TOMLLayout?

  init(cursor: TOMLCursor, layout: TOMLLayout? = nil) {
    (self.cursor, self.layout) = (cursor, layout)
  }

  /// Parses a text and returns its top table.
  ///
  /// - Parameter number: The number of the text in positions, if several are read as one.
  public static func parse(_ text: String, number: Int = 0) throws(TOMLSyntaxError) -> [String: ConfigurationNode] {
    var parser = TOMLParser(cursor: TOMLCursor(text, number: number))
    guard case .table(let nodes) = try parser.document().value else { return [:] }
    return nodes
  }

  /// Parses a text and returns its top table with the places of its statements.
  public static func layout(of text: String) throws(TOMLSyntaxError) -> (nodes: [String: ConfigurationNode], layout: TOMLLayout) {
    var parser = TOMLParser(cursor: TOMLCursor(text, number: 0), layout: TOMLLayout())
    guard case .table(let nodes) = try parser.document().value, let layout = parser.layout else { return ([:], TOMLLayout()) }
    return (nodes, layout)
  }
}

// MARK: Lines

extension TOMLParser {
  private mutating func document() throws(TOMLSyntaxError) -> ConfigurationNode {
    let top = TOMLTableBuilder(.header, position: cursor.place)
    var table = top
    try skipSpace()
    while cursor.next != nil {
      let start = (cursor.position, cursor.place)
      let isHeader = cursor.next == UInt8(ascii: "[")
      if isHeader { table = try header(in: top) } else { try assignment(in: table) }
      layout?.statements.append(
        TOMLLayout.Statement(isHeader: isHeader, position: start.1, octets: start.0..<cursor.position))
      cursor.skipBlanks()
      try skipComment()
      guard cursor.next == nil || cursor.skipLineEnd() else {
        throw cursor.error("\(cursor.found) is not allowed here; start a new line")
      }
      try skipSpace()
    }
    return top.node
  }

  private mutating func header(in top: TOMLTableBuilder) throws(TOMLSyntaxError) -> TOMLTableBuilder {
    let start = cursor
    let isArray = cursor.skip("[[")
    if !isArray { cursor.advance() }
    let path = try key()
    guard cursor.skip(isArray ? "]]" : "]") else {
      throw cursor.error("\(cursor.found) is not allowed in a header; write \(isArray ? "[[name]]" : "[name]")")
    }
    do throws(TOMLTableBuilder.Conflict) {
      return isArray ? try top.append(path, position: start.place) : try top.open(path, position: start.place)
    } catch { throw start.error(for: error) }
  }

  private mutating func assignment(in table: TOMLTableBuilder, depth: Int = 0) throws(TOMLSyntaxError) {
    let start = cursor
    let path = try key()
    guard cursor.skip("=") else { throw cursor.error("\(cursor.found) is not =; write key = value") }
    cursor.skipBlanks()
    let value = try value(depth: depth)
    do throws(TOMLTableBuilder.Conflict) { try table.set(path, to: value, position: start.place) } catch { throw start.error(for: error) }
  }

  /// Parses the parts of a key and the blanks around it.
  private mutating func key() throws(TOMLSyntaxError) -> [String] {
    var parts: [String] = []
    repeat {
      cursor.skipBlanks()
      guard parts.count < Self.deepestNesting else { throw tooDeep() }
      switch cursor.next {
      case UInt8(ascii: "\""): parts.append(try basicString())
      case UInt8(ascii: "'"): parts.append(try literalString())
      default:
        let part = cursor.take { $0.isBareKey }
        guard !part.isEmpty else {
          throw cursor.error("\(cursor.found) is not a key; use letters, digits, - and _, or put the key in quotes")
        }
        parts.append(part)
      }
      cursor.skipBlanks()
    } while cursor.skip(".")
    return parts
  }
}

// MARK: Values

extension TOMLParser {
  private mutating func value(depth: Int) throws(TOMLSyntaxError) -> ConfigurationNode {
    guard depth < Self.deepestNesting else { throw tooDeep() }
    let (position, start) = (cursor.place, cursor.position)
    let value: ConfigurationNode.Value =
      switch cursor.next {
      case UInt8(ascii: "\""): .text(cursor.isAt("\"\"\"") ? try longBasicString() : try basicString())
      case UInt8(ascii: "'"): .text(cursor.isAt("'''") ? try longLiteralString() : try literalString())
      case UInt8(ascii: "["): .list(try array(depth: depth + 1))
      case UInt8(ascii: "{"): try inlineTable(depth: depth + 1)
      default: try scalar()
      }
    layout?.values[position] = start..<cursor.position
    return ConfigurationNode(value, at: position)
  }

  private mutating func array(depth: Int) throws(TOMLSyntaxError) -> [ConfigurationNode] {
    cursor.advance()
    var nodes: [ConfigurationNode] = []
    repeat {
      try skipSpace()
      if cursor.isAt("]") { break }
      nodes.append(try value(depth: depth))
      try skipSpace()
    } while cursor.skip(",")
    guard cursor.skip("]") else {
      throw cursor.error("\(cursor.found) is not allowed in a list; write a comma between values and ] at the end")
    }
    return nodes
  }

  private mutating func inlineTable(depth: Int) throws(TOMLSyntaxError) -> ConfigurationNode.Value {
    let table = TOMLTableBuilder(.header, position: cursor.place)
    cursor.advance()
    cursor.skipBlanks()
    if !cursor.isAt("}") {
      repeat {
        try assignment(in: table, depth: depth)
        cursor.skipBlanks()
      } while cursor.skip(",")
    }
    guard cursor.skip("}") else {
      throw cursor.error("\(cursor.found) is not allowed in { }; write a comma between keys and } at the end, all on one line")
    }
    return table.node.value
  }

  private func tooDeep() -> TOMLSyntaxError {
    cursor.error("this is nested deeper than \(Self.deepestNesting) levels, the limit")
  }
}

// MARK: White space

extension TOMLParser {
  /// Skips blanks, line ends and comments.
  private mutating func skipSpace() throws(TOMLSyntaxError) {
    repeat {
      cursor.skipBlanks()
      try skipComment()
    } while cursor.skipLineEnd()
  }

  private mutating func skipComment() throws(TOMLSyntaxError) {
    guard cursor.skip("#") else { return }
    while let byte = cursor.next, !cursor.isAt("\n") && !cursor.isAt("\r\n") {
      guard !byte.isForbiddenControl else { throw controlCharacter() }
      cursor.advance()
    }
  }

  func controlCharacter() -> TOMLSyntaxError { cursor.error("this is a control character; remove it") }
}

extension TOMLCursor {
  fileprivate func error(for conflict: TOMLTableBuilder.Conflict) -> TOMLSyntaxError {
    error("\"\(conflict.name)\" is already defined\(conflict.position.map { " in line \($0.line)" } ?? ""); remove one of them")
  }
}

extension UInt8 {
  /// Whether the byte is a control character other than the tab.
  var isForbiddenControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isBareKey: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: isASCIIDigit
    }
  }
}

/// The error in a text that is not TOML, or that nests deeper than `TOMLParser.deepestNesting`.
/// Line and column count from 1, the column in characters.
public struct TOMLSyntaxError: Error, Hashable, Sendable {
  public let line: Int
  public let column: Int
  /// The error and its remedy.
  public let message: String
}
