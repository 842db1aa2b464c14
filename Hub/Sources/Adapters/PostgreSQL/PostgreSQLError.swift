/// The error of a database.
public struct PostgreSQLError: Error, CustomStringConvertible {
  /// The code of the SQL standard, such as `23505`; empty if the link failed.
  public var code: String
  public var message: String
  /// The name of the constraint that a row breaks.
  public var constraint: String?

  public init(code: String = "", message: String, constraint: String? = nil) {
    (self.code, self.message, self.constraint) = (code, message, constraint)
  }

  /// Whether the database refuses a value, which fails again however often it is sent.
  ///
  /// These are the classes "data exception" and "program limit exceeded", such as a text that is nested too deep, and rows that break a
  /// constraint. A row whose partition does not exist breaks no constraint with a name.
  public var refusesValue: Bool { code.hasPrefix("22") || code.hasPrefix("54") || code.hasPrefix("23") && constraint != nil }

  /// Whether the same call may succeed later.
  ///
  /// The link has failed, or the server ends, starts, lacks resources, or only reads for now.
  public var isTemporary: Bool {
    code.isEmpty || ["08", "40", "53", "57"].contains { code.hasPrefix($0) } || code == "55P03" || code == "25006"
  }

  /// Whether the disk of the database is full.
  ///
  /// A full database takes links as long as a file of its catalogs is valid, and refuses them without a code otherwise.
  public var isOfFullDisk: Bool { code == "53100" || code.isEmpty && message.contains("could not write init file") }

  /// Whether the database undid the transaction because of another one: "serialization failure" or "deadlock detected".
  var isOfConcurrency: Bool { code == "40001" || code == "40P01" }

  public var description: String { code.isEmpty ? "database: \(message)" : "database: \(message) (\(code))" }
}
