/// A value of a configuration: of a TOML text, of a client's options on the bus, or of stored JSON.
public struct ConfigurationNode: Hashable, Sendable {
  public let value: Value
  /// The position where the value begins in its text; nil if it comes from no text.
  ///
  /// A table that a header opens begins at its first header.
  public let position: SourcePosition?

  public init(_ value: Value, at position: SourcePosition? = nil) {
    self.value = value
    self.position = position
  }

  public enum Value: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    /// A date, a time or both, as written.
    case date(String)
    /// An array, or an array of tables.
    case list([ConfigurationNode])
    case table([String: ConfigurationNode])
  }
}

/// A place in a text, or in one of several texts that are read as one.
public struct SourcePosition: Hashable, Sendable {
  // 32 bits each, so that a node is no larger than one with only a line.
  private let row: UInt32
  // The text in the upper 8 bits, and the column.
  private let offset: UInt32

  /// - Parameters:
  ///   - line: from 1.
  ///   - column: in characters, from 1.
  ///   - text: the number of the text, from 0 to 255.
  public init(line: Int, column: Int, text: Int = 0) {
    row = UInt32(clamping: line)
    offset = UInt32(UInt8(clamping: text)) << 24 | min(UInt32(clamping: column), Self.mostColumn)
  }

  private static let mostColumn: UInt32 = 0xFF_FFFF

  /// The line, from 1.
  public var line: Int { Int(row) }
  /// The column in characters, from 1.
  public var column: Int { Int(offset & Self.mostColumn) }
  /// The number of the text, from 0.
  public var text: Int { Int(offset >> 24) }
}
