import Records

/// A table whose rows carry a checksum, and whose head row holds how many rows there are and a digest of their checksums.
///
/// The checksum covers the table's name, every other column, and the id of the database, so a row that was changed, moved to another key,
/// or copied from another table or file is noticed. The head row lets missing, doubled and stale rows be noticed. See decision 22.
public struct CheckedTable: Hashable, Sendable {
  public let name: String
  /// The columns of the key and then the others, without `checksum`.
  public let columns: [String]

  public init(_ name: String, _ columns: [String]) {
    self.name = name
    self.columns = columns
  }

  /// The SQL of a schema step that adds `checksum` and the head row to an existing table.
  ///
  /// Existing rows count as undamaged.
  ///
  /// A released step never changes, so the step itself must name the columns of the table in that version.
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

  /// The SQL that recomputes the head row from the rows.
  var headUpdate: String {
    "UPDATE head SET (count, digest) = (SELECT count(*), rows_digest(checksum) FROM \(name)) WHERE name = '\(name)'"
  }

  /// Returns the SQL of the checksum of a row.
  ///
  /// - Parameters:
  ///   - id: the SQL of the id of the database.
  ///   - values: the SQL of the values in the order of `columns`; `nil` uses those of the row.
  func expression(id: String, values: String? = nil) -> String {
    "row_checksum(\(id), '\(name)', \(values ?? columns.joined(separator: ", ")))"
  }

  /// The triggers of a connection that keep the head row up to date.
  ///
  /// They are temporary. Another program that changes rows does not update the head row, and is therefore detected.
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

  /// Returns the SQL of an exclusive or, which SQLite lacks.
  static func xor(_ a: String, _ b: String = "digest") -> String { "((\(a) | \(b)) & ~(\(a) & \(b)))" }
}

/// The result of comparing the rows of a table with their checksums and the head row.
public struct TableFindings: Hashable, Sendable, CustomStringConvertible {
  /// The number of rows with a correct checksum.
  public let intact: Int
  /// The number of rows with a wrong checksum.
  public let damaged: Int
  /// The number of rows in the head row; `nil` if it is missing or cannot be read.
  public let expected: Int?
  /// Whether the rows have the checksums of the last commit, each once.
  public let isComplete: Bool

  /// Whether every row of the last commit exists once and is undamaged.
  public var isIntact: Bool { damaged == 0 && isComplete }

  /// A summary such as `2 of 11 rows are damaged, 1 is missing`, or `11 rows are intact`.
  public var description: String {
    let found = intact + damaged
    var findings: [String] = []
    if damaged > 0 { findings.append("\(damaged) of \(Count.text(found, "row")) \(damaged == 1 ? "is" : "are") damaged") }
    if let expected {
      let (missing, surplus) = (expected.subtractingSaturated(found), found.subtractingSaturated(expected))
      if missing > 0 { findings.append("\(missing) \(missing == 1 ? "is" : "are") missing") }
      if surplus > 0 { findings.append("\(surplus) too many") }
      if findings.isEmpty, !isComplete { findings.append("rows differ from the last commit") }
    } else {
      findings.append("the expected number of rows is missing")
    }
    return findings.isEmpty ? "\(Count.text(found, "row is", plural: "rows are")) intact" : findings.joined(separator: ", ")
  }
}

extension Int {
  /// Returns the difference, or zero if it is negative, because a damaged file may contain any count.
  fileprivate func subtractingSaturated(_ other: Int) -> Int {
    guard self > other else { return 0 }
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .max : difference
  }
}

extension CheckedTable {
  /// Returns the checksum of a row that was read without SQLite.
  ///
  /// - Parameter values: the values in the order of `columns`.
  public func checksum(of values: [DatabaseValue], id: Int64) -> Int64 { checksum(of: values) ^ id }

  /// Returns the id of the database that an intact row was written to.
  public func id(of values: [DatabaseValue], checksum: Int64) -> Int64 { self.checksum(of: values) ^ checksum }

  private func checksum(of values: [DatabaseValue]) -> Int64 {
    var hash = RowHash()
    for value in [.text(name)] + values {
      switch value {
      case .null: hash.addNull()
      case .integer(let integer): hash.add(integer)
      case .real(let real): hash.add(real)
      case .text(var text): text.withUTF8 { hash.add(text: UnsafeRawBufferPointer($0)) }
      case .blob(let octets): octets.withUnsafeBytes { hash.add(blob: $0) }
      }
    }
    return Int64(bitPattern: hash.value)
  }
}
