/// Keeps the checksums and head rows of a database's checked tables, and compares the rows with them.
///
/// Make one for each connection that writes to checked tables. From then on inserts, updates, deletes and replacements update the head row in the same
/// transaction, by temporary triggers of that connection. What is left to the caller is the column `checksum` of the rows that it writes:
///
///     let checks = try RowChecks(database, [events])
///     insertion = try database.prepare("INSERT INTO event VALUES (?1, ?2, ?3, \(checks.checksum(of: "?1, ?2, ?3", in: events)))")
///     selection = try database.prepare("SELECT details, \(checks.isIntact(events)) FROM event")
public final class RowChecks {
  /// A random number that tells this database from all others: a row of another file is damage.
  public let id: Int64
  let database: Database

  /// Throws `corrupt` when neither the head rows nor the rows tell the database's id.
  public init(_ database: Database, _ tables: [CheckedTable]) throws(DatabaseError) {
    self.database = database
    id = try Self.id(of: database, tables)
    // A replacement deletes a row, which otherwise no trigger is told of.
    try database.execute("PRAGMA recursive_triggers = ON; PRAGMA temp_store = MEMORY")
    for table in tables { try database.execute(table.triggers) }
  }

  /// SQL: the checksum of a row that is about to be written.
  ///
  /// - Parameter values: SQL for each of the table's columns, in their order: `?1, ?2, ?3`.
  public func checksum(of values: String, in table: CheckedTable) -> String { table.expression(id: "\(id)", values: values) }

  /// SQL: 1 for a row whose checksum is right, else 0.
  public func isIntact(_ table: CheckedTable) -> String { "(checksum IS \(table.expression(id: "\(id)")))" }

  /// Compares all rows of a table with their checksums and with the head row. Reads the whole table.
  public func findings(in table: CheckedTable) throws(DatabaseError) -> TableFindings {
    let rows = try database.prepare("SELECT count(*), coalesce(sum(\(isIntact(table))), 0), rows_digest(checksum) FROM \(table.name)")
      .first { row in (count: row.integer(0) ?? 0, intact: row.integer(1) ?? 0, digest: row.integer(2)) }
    let head = try database.prepare("SELECT id, count, digest FROM head WHERE name = ?").all(.text(table.name)) { row in
      (id: row.integer(0), count: row.integer(1), digest: row.integer(2))
    }
    let (count, intact) = (rows?.count ?? 0, rows?.intact ?? 0)
    let isComplete = head.count == 1 && head[0].id == id && head[0].count == count && head[0].digest == rows?.digest
    return TableFindings(
      intact: Int(intact), damaged: Int(count - intact), expected: (head.first?.count ?? nil).map { Int($0) }, isComplete: isComplete)
  }

  /// Takes the rows that are there as all that there are: makes the head row hold their number and their digest. A damaged row stays damaged.
  public func rebuildHead(of table: CheckedTable) throws(DatabaseError) {
    try database.prepare("INSERT OR REPLACE INTO head VALUES (?, ?, 0, 0)").run(.text(table.name), .integer(id))
    try database.execute(table.headUpdate)
  }

  /// Deletes the rows whose checksum is wrong.
  ///
  /// - Returns: their number.
  public func removeDamagedRows(of table: CheckedTable) throws(DatabaseError) -> Int {
    try database.execute("DELETE FROM \(table.name) WHERE NOT \(isIntact(table))")
    return database.changes
  }

  /// What most of the head rows and rows say: none of them alone can make all others count as another database's.
  private static func id(of database: Database, _ tables: [CheckedTable]) throws(DatabaseError) -> Int64 {
    let heads = try database.prepare("SELECT id FROM head").all { row in row.integer(0) }.compactMap(\.self)
    if let first = heads.first, heads.count >= tables.count, heads.allSatisfy({ $0 == first }) { return first }
    var votes = heads.reduce(into: [:]) { votes, id in votes[id, default: 0] += 1 }
    for table in tables {
      let said = CheckedTable.xor("checksum", table.expression(id: "0"))
      let best = try database.prepare("SELECT \(said) AS said, count(*) FROM \(table.name) GROUP BY said ORDER BY count(*) DESC LIMIT 8")
        .all { row in (id: row.integer(0) ?? 0, rows: Int(clamping: row.integer(1) ?? 0)) }
      for (id, rows) in best { votes[id, default: 0] += rows }
    }
    guard let most = votes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
      throw DatabaseError(.corrupt, path: database.path, message: "nothing says which database this is")
    }
    return most.key
  }
}
