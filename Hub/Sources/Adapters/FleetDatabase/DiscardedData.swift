/// Rows of a table, or values of a column, that the step back from a migration discards.
public struct DiscardedData: Hashable, Sendable {
  /// The table, or the table and the column, such as `site_venue` or `site.title`.
  public var name: String
  /// The statement that returns the number of rows.
  let count: String

  private init(_ name: String, count: String) { (self.name, self.count) = (name, count) }

  /// All rows of a table, or those that meet a condition.
  public static func rows(_ table: String, where condition: String = "true") -> Self {
    Self(table, count: "select count(*) from \(table) where \(condition)")
  }

  /// The values of a column that are not null.
  public static func values(_ table: String, _ column: String) -> Self {
    Self("\(table).\(column)", count: "select count(\(column)) from \(table)")
  }
}
