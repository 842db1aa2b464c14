/// The error in a text that is not TOML, or that nests deeper than `TOMLParser.deepestNesting`.
/// Line and column count from 1, the column in characters.
public struct TOMLSyntaxError: Error, Hashable, Sendable {
  public let line: Int
  public let column: Int
  /// The error and its remedy.
  public let message: String
}
