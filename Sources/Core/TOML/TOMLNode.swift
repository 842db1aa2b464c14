/// A value of a TOML text and the line on which it begins, from 1.
/// A table that a header opens begins at its first header.
public struct TOMLNode: Hashable, Sendable {
  public let value: Value
  public let line: Int

  public init(value: Value, line: Int) {
    self.value = value
    self.line = line
  }

  public enum Value: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case number(Double)
    case flag(Bool)
    /// A date, a time or both, as written.
    case date(String)
    /// An array, or an array of tables.
    case list([TOMLNode])
    case table([String: TOMLNode])
  }
}
