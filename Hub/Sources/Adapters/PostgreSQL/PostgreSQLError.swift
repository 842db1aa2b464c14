/// The error of a database.
public struct PostgreSQLError: Error, CustomStringConvertible {
  /// The code of the SQL standard, such as `23505`; empty if the link failed.
  public var code: String
  public var message: String

  public init(code: String = "", message: String) { (self.code, self.message) = (code, message) }

  /// Whether the database refuses a value, which fails again however often it is sent.
  ///
  /// These are the class "data exception", and a text that is nested too deep.
  public var refusesValue: Bool { code.hasPrefix("22") || code == "54001" }

  public var description: String { code.isEmpty ? "database: \(message)" : "database: \(message) (\(code))" }
}
