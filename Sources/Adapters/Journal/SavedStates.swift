import Instants
import Records
import Regions
import SQLite

/// The states of regions in the database of a journal, and the last time at which a daemon was running.
struct SavedStates {
  private let database: Database
  private let upsert: Statement
  private let removal: Statement
  private let heartbeatUpdate: Statement
  private let selection: Statement
  private let heartbeatSelection: Statement

  init(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    self.database = database
    let (regions, life) = (JournalTables.regions, JournalTables.life)
    // An unchanged row is not written.
    upsert = try database.prepare(
      """
      INSERT INTO region VALUES (?1, ?2, \(checks.checksum(of: "?1, ?2", in: regions)))
        ON CONFLICT DO UPDATE SET state = excluded.state, checksum = excluded.checksum
        WHERE state <> excluded.state OR checksum <> excluded.checksum
      """)
    removal = try database.prepare("DELETE FROM region WHERE identifier = ?")
    heartbeatUpdate = try database.prepare(
      "INSERT OR REPLACE INTO life VALUES (1, ?1, ?2, ?3, ?4, \(checks.checksum(of: "1, ?1, ?2, ?3, ?4", in: life)))")
    selection = try database.prepare("SELECT state FROM region WHERE \(checks.isIntact(regions)) ORDER BY identifier")
    heartbeatSelection = try database.prepare("SELECT time, boot, uptime, watched FROM life WHERE \(checks.isIntact(life))")
  }

  /// Saves states as part of the current transaction.
  func save(_ regions: [SavedRegion], _ heartbeat: Heartbeat, watched: Span) throws(DatabaseError) {
    for region in regions { try upsert.run(.text(region.identifier), .text(region.record.json)) }
    try heartbeatUpdate.run(
      .integer(heartbeat.time.microseconds), .text(heartbeat.boot), .integer(heartbeat.uptime.microseconds), .integer(watched.microseconds))
  }

  /// Deletes all regions but these.
  func keepOnly(_ identifiers: Set<String>) throws(DatabaseError) {
    let saved = try database.prepare("SELECT identifier FROM region").all { $0.text(0) ?? "" }
    for identifier in saved where !identifiers.contains(identifier) { try removal.run(.text(identifier)) }
  }

  /// Returns the readable states; damaged ones are omitted.
  func regions() throws(DatabaseError) -> [SavedRegion] {
    try selection.all { row in
      do throws(JSONError) {
        return SavedRegion(try Record(json: row.text(0) ?? ""))
      } catch {
        return nil
      }
    }.compactMap(\.self)
  }

  /// Returns the last heartbeat; `nil` if there is none or its row is damaged.
  func lastHeartbeat() throws(DatabaseError) -> (heartbeat: Heartbeat, watched: Span)? {
    try heartbeatSelection.first { row in
      let heartbeat = Heartbeat(
        time: Instant(microseconds: row.integer(0) ?? 0), boot: row.text(1), uptime: Span(microseconds: row.integer(2) ?? 0))
      return (heartbeat, Span(microseconds: row.integer(3) ?? 0))
    }
  }
}
