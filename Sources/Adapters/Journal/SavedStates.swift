import Instants
import Records
import Regions
import SQLite

/// The states of regions in a journal's database, and when somebody watched last.
struct SavedStates {
  private let database: Database
  private let upsert: Statement
  private let removal: Statement
  private let sign: Statement

  init(_ database: Database) throws(DatabaseError) {
    self.database = database
    // One that is as it was costs no writing.
    upsert = try database.prepare(
      """
      INSERT INTO region (identifier, state) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET state = excluded.state WHERE state <> excluded.state
      """)
    removal = try database.prepare("DELETE FROM region WHERE identifier = ?")
    sign = try database.prepare("INSERT OR REPLACE INTO life (number, time, boot, uptime) VALUES (1, ?, ?, ?)")
  }

  /// A part of the transaction in which it is called.
  func save(_ regions: [SavedRegion], _ life: LifeSign) throws(DatabaseError) {
    for region in regions { try upsert.run(.text(region.identifier), .text(region.record.json)) }
    try sign.run(.integer(life.time.microseconds), .text(life.boot), .integer(life.uptime.microseconds))
  }

  /// Forgets all regions but these.
  func keepOnly(_ identifiers: Set<String>) throws(DatabaseError) {
    let saved = try database.prepare("SELECT identifier FROM region").all { $0.text(0) ?? "" }
    for identifier in saved where !identifiers.contains(identifier) { try removal.run(.text(identifier)) }
  }

  /// Those that can be read; what is damaged is as if it had never been saved.
  func regions() throws(DatabaseError) -> [SavedRegion] {
    try database.prepare("SELECT state FROM region ORDER BY identifier").all { row in
      do throws(JSONError) {
        return SavedRegion(try Record(json: row.text(0) ?? ""))
      } catch {
        return nil
      }
    }.compactMap(\.self)
  }

  /// Nil when nobody has watched yet.
  func life() throws(DatabaseError) -> LifeSign? {
    try database.prepare("SELECT time, boot, uptime FROM life").first { row in
      LifeSign(
        time: Instant(microseconds: row.integer(0) ?? 0), boot: row.text(1), uptime: Span(microseconds: row.integer(2) ?? 0))
    }
  }
}
