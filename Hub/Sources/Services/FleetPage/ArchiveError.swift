public import WebPage

/// The error of a link to the database.
public protocol ArchiveError: Error {
  /// Whether the link failed, or the database ended it.
  var isOfLink: Bool { get }
  /// Whether a table, a column or a function is missing, as after a migration.
  var isOfMissingPart: Bool { get }
  /// Whether the database has the schema of another version.
  var isOfSchema: Bool { get }
}

extension ArchiveError {
  /// The error as the page shows it.
  public var refusal: PageRefusal { isOfSchema ? .schema : .database }
}
