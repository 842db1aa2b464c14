/// Maintains the checksums and head rows of checked tables, and compares the rows with them.
///
/// Create one for each connection that writes to checked tables. From then on, temporary triggers of this connection update the head row in
/// the transaction of each insert, update, delete and replacement. The caller only writes the column `checksum` of its rows:
///
///     let checks = try RowChecks(database, [events])
///     insertion = try database.prepare("INSERT INTO event VALUES (?1, ?2, ?3, \(checks.checksum(of: "?1, ?2, ?3", in: events)))")
///     selection = try database.prepare("SELECT details, \(checks.isIntact(events)) FROM event")
public final class RowChecks {
  /// A random number that identifies the database, so that a row of another file counts as damage.
  public let id: Int64
  let database: Database

  /// Throws `corrupt` if neither the head rows nor the rows reveal the id of the database.
  public init(_ database: Database, _ tables: [CheckedTable]) throws(DatabaseError) {
    self.database = database
    id = try Self.id(of: database, tables)
    // A replacement deletes a row, which fires no trigger otherwise.
    try database.execute("PRAGMA recursive_triggers = ON; PRAGMA temp_store = MEMORY")
    for table in tables { try database.execute(table.triggers) }
  }

  /// Returns the SQL of the checksum of a new row.
  ///
  /// - Parameter values: the SQL of the columns of the table in their order, such as `?1, ?2, ?3`.
  public func checksum(of values: String, in table: CheckedTable) -> String { table.expression(id: "\(id)", values: values) }

  /// Returns SQL that is 1 for a row with a correct checksum, else 0.
  public func isIntact(_ table: CheckedTable) -> String { "(checksum IS \(table.expression(id: "\(id)")))" }

  /// Reads a whole table, and compares its rows with their checksums and the head row.
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

  /// Updates the head row to the number and the digest of the existing rows. A damaged row stays damaged.
  public func rebuildHead(of table: CheckedTable) throws(DatabaseError) {
    try database.prepare("INSERT OR REPLACE INTO head VALUES (?, ?, 0, 0)").run(.text(table.name), .integer(id))
    try database.execute(table.headUpdate)
  }

  /// Deletes the rows with a wrong checksum.
  ///
  /// - Returns: their number.
  public func removeDamagedRows(of table: CheckedTable) throws(DatabaseError) -> Int {
    try database.execute("DELETE FROM \(table.name) WHERE NOT \(isIntact(table))")
    return database.changes
  }

  /// Returns the id on which most head rows and rows agree, so that one damaged row cannot invalidate all others.
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
      throw DatabaseError(.corrupt, path: database.path, message: "the identity of the database is missing")
    }
    return most.key
  }
}
