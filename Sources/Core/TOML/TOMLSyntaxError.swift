/// A text that is not TOML, or nests deeper than `TOMLParser.deepestNesting`. Line and column count from 1, the column in characters.
public struct TOMLSyntaxError: Error, Hashable, Sendable {
  public let line: Int
  public let column: Int
  /// What is wrong and what to do.
  public let message: String
}
