/// One line of comma-separated values (RFC 4180).
public enum CSVLine {
  /// Returns the line with its end; fields with a comma, a quotation mark or a line break are quoted.
  public static func text(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\r\n" }

  private static func quoted(_ field: String) -> String {
    guard field.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
