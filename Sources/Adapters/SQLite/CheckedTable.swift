/// A table whose rows carry a checksum, and whose head row holds how many rows there are and a digest of their checksums.
///
/// The checksum covers the table's name, every other column, and the id of the database, so a row that was changed, moved to another key, or
/// copied from another table or file is noticed. The head row lets missing, doubled and stale rows be noticed. See decision 22.
public struct CheckedTable: Hashable, Sendable {
  public let name: String
  /// The key's columns and then the others, without `checksum`.
  public let columns: [String]

  public init(_ name: String, _ columns: [String]) {
    self.name = name
    self.columns = columns
  }

  /// SQL for a step of a schema: adds `checksum` and the head row to a table that exists. The rows that are there count as undamaged.
  ///
  /// A step never changes once it is released: name the columns that the table has in that version, in the step itself.
  public var adoption: String {
    """
    CREATE TABLE IF NOT EXISTS head (name TEXT PRIMARY KEY, id INTEGER NOT NULL, count INTEGER NOT NULL, digest INTEGER NOT NULL)
      STRICT, WITHOUT ROWID;
    ALTER TABLE \(name) ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    INSERT INTO head VALUES ('\(name)', coalesce((SELECT id FROM head LIMIT 1), random()), 0, 0);
    UPDATE \(name) SET checksum = \(expression(id: "(SELECT id FROM head WHERE name = '\(name)')"));
    \(headUpdate);
    """
  }

  /// Makes the head row hold what the rows are now.
  var headUpdate: String {
    "UPDATE head SET (count, digest) = (SELECT count(*), rows_digest(checksum) FROM \(name)) WHERE name = '\(name)'"
  }

  /// The checksum of a row with these values, in SQL.
  ///
  /// - Parameters:
  ///   - id: the database's, in SQL.
  ///   - values: in the order of `columns`; nil means the row's own.
  func expression(id: String, values: String? = nil) -> String {
    "row_checksum(\(id), '\(name)', \(values ?? columns.joined(separator: ", ")))"
  }

  /// Triggers of one connection that keep the head row at what the rows are. They are not in the file: another program that changes rows leaves the head
  /// row as it was, and is noticed.
  var triggers: String {
    """
    CREATE TEMP TRIGGER \(name)_inserted AFTER INSERT ON main.\(name)
      BEGIN UPDATE head SET count = count + 1, digest = \(Self.xor("new.checksum")) WHERE name = '\(name)'; END;
    CREATE TEMP TRIGGER \(name)_deleted AFTER DELETE ON main.\(name)
      BEGIN UPDATE head SET count = count - 1, digest = \(Self.xor("old.checksum")) WHERE name = '\(name)'; END;
    CREATE TEMP TRIGGER \(name)_updated AFTER UPDATE ON main.\(name) WHEN old.checksum <> new.checksum
      BEGIN UPDATE head SET digest = \(Self.xor(Self.xor("old.checksum", "new.checksum"))) WHERE name = '\(name)'; END;
    """
  }

  /// SQL has no exclusive or.
  static func xor(_ a: String, _ b: String = "digest") -> String { "((\(a) | \(b)) & ~(\(a) & \(b)))" }
}

/// What the checksums of a table and its head row say of its rows.
public struct TableFindings: Hashable, Sendable, CustomStringConvertible {
  /// Rows whose checksum is right.
  public let intact: Int
  /// Rows whose checksum is wrong.
  public let damaged: Int
  /// Rows that the head row counts; nil when it is missing or cannot be read.
  public let expected: Int?
  /// Whether the rows that are there have the checksums that were written last, each once.
  public let isComplete: Bool

  /// Whether every row is there, once, as it was written last.
  public var isIntact: Bool { damaged == 0 && isComplete }

  /// `2 of 11 rows are damaged, 1 is missing`; of an intact table `11 rows are intact`.
  public var description: String {
    let found = intact + damaged
    var findings: [String] = []
    if damaged > 0 { findings.append("\(damaged) of \(found) row\(found == 1 ? "" : "s") \(damaged == 1 ? "is" : "are") damaged") }
    if let expected {
      let (missing, surplus) = (expected.subtractingSaturated(found), found.subtractingSaturated(expected))
      if missing > 0 { findings.append("\(missing) \(missing == 1 ? "is" : "are") missing") }
      if surplus > 0 { findings.append("\(surplus) too many") }
      if findings.isEmpty, !isComplete { findings.append("rows are not those that were written last") }
    } else {
      findings.append("nothing says how many rows there have to be")
    }
    return findings.isEmpty ? "\(found) row\(found == 1 ? " is" : "s are") intact" : findings.joined(separator: ", ")
  }
}

extension Int {
  /// Zero instead of a negative difference, whatever a damaged file counts.
  fileprivate func subtractingSaturated(_ other: Int) -> Int {
    guard self > other else { return 0 }
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .max : difference
  }
}
