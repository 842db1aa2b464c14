/// A parameter of a statement.
public enum PostgreSQLValue: Sendable {
  case text(String)
  case array(BinaryArray)
  case null

  public static func integer(_ value: some FixedWidthInteger) -> PostgreSQLValue { .text(String(value)) }
}

/// A statement with its parameters.
public struct PostgreSQLStatement: Sendable {
  enum Command: Sendable {
    case prepared(String)
    case text(String)
  }

  let command: Command
  let values: [PostgreSQLValue]

  public init(_ text: String, _ values: [PostgreSQLValue] = []) { (command, self.values) = (.text(text), values) }

  public init(prepared name: String, _ values: [PostgreSQLValue] = []) { (command, self.values) = (.prepared(name), values) }
}

/// The rows of a result, as texts.
public struct PostgreSQLRows: Sendable {
  public var columns: [String]
  public var rows: [[String?]]

  public init(columns: [String] = [], rows: [[String?]] = []) { (self.columns, self.rows) = (columns, rows) }

  /// The first value of the first row.
  public var first: String? { rows.first?.first ?? nil }
}
