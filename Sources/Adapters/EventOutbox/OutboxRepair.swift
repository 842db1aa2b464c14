import Events
import Instants
import Records
import SQLite

/// Removes damaged rows from an outbox with an intact structure, and turns damaged deliveries into dead letters.
struct OutboxRepair {
  static let reason = "its row in the outbox was damaged"

  private let database: Database
  private let checks: RowChecks
  private let statements: OutboxStatements

  init(_ database: Database, _ checks: RowChecks, _ statements: OutboxStatements) {
    (self.database, self.checks, self.statements) = (database, checks, statements)
  }

  /// Repairs the outbox, and returns a summary; `nil` without damage.
  func repair(at time: Instant) throws(DatabaseError) -> String? {
    try renumberDeadLetters()
    let findings = try CheckedTable.outbox.map { (table) throws(DatabaseError) in (table: table, found: try checks.findings(in: table)) }
      .filter { !$0.found.isIntact }
    let (lost, alone) = (try count(Self.withoutEvent, in: "delivery"), try count(Self.withoutDelivery, in: "event"))
    guard !findings.isEmpty || lost > 0 || alone > 0 else { return nil }
    let dead = try database.transaction { () throws(DatabaseError) in
      try repairClock()
      try repairPlaces()
      let dead = try makeDeadLetters(at: time)
      for table in CheckedTable.outbox { try checks.rebuildHead(of: table) }
      return dead
    }
    var losses = findings.map { "\($0.table.name): \($0.found)" }
    if dead > 0 { losses.append(Count.text(dead, "delivery is a dead letter", plural: "deliveries are dead letters") + " now") }
    if lost > 0 { losses.append(Count.text(lost, "delivery", plural: "deliveries") + " lost with the event") }
    if findings.contains(where: { $0.table == .place }) {
      losses.append("the position in the journal is unknown, so events may be delivered twice or missed")
    }
    return losses.joined(separator: "; ")
  }

  /// Renumbers dead letters, because after the largest possible number SQLite reports a full disk.
  private func renumberDeadLetters() throws(DatabaseError) {
    let isOver = try database.prepare(
      """
      SELECT coalesce((SELECT max(id) FROM dead), 0) >= 1 << 62
        OR EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'dead' AND seq >= 1 << 62)
      """
    ).first { $0.integer(0) == 1 }
    guard isOver == true else { return }
    try database.transaction { () throws(DatabaseError) in
      try database.execute(
        """
        CREATE TEMP TABLE letters AS SELECT target, json, reason, time FROM dead ORDER BY id;
        DELETE FROM dead;
        UPDATE sqlite_sequence SET seq = 0 WHERE name = 'dead';
        INSERT INTO dead (target, json, reason, time) SELECT target, json, reason, time FROM letters ORDER BY rowid;
        DROP TABLE letters;
        """)
    }
  }

  private static let withoutEvent = "event NOT IN (SELECT id FROM event)"
  private static let withoutDelivery = "id NOT IN (SELECT event FROM delivery)"

  private func count(_ condition: String, in table: String) throws(DatabaseError) -> Int {
    Int(clamping: try database.prepare("SELECT count(*) FROM \(table) WHERE \(condition)").first { $0.integer(0) ?? 0 } ?? 0)
  }

  /// Sets a damaged clock to the time of the last event, so that no delivery is too old.
  private func repairClock() throws(DatabaseError) {
    let isSound = try database.prepare("SELECT count(*) FROM clock WHERE \(checks.isIntact(.clock)) AND microseconds >= 0").first {
      $0.integer(0) == 1
    }
    guard isSound != true else { return }
    let last = try database.prepare("SELECT max(queued) FROM event WHERE \(checks.isIntact(.event))").first { $0.integer(0) ?? 0 } ?? 0
    try database.execute("DELETE FROM clock")
    try statements.setClock(Span(microseconds: max(0, last)))
  }

  /// Sets a damaged place behind the last waiting event of its journal, or removes it.
  private func repairPlaces() throws(DatabaseError) {
    let damaged = try database.prepare("SELECT journal, feed FROM place WHERE NOT \(checks.isIntact(.place))").all { row in
      (journal: row.text(0) ?? "", feed: row.integer(1) ?? 0)
    }
    _ = try checks.removeDamagedRows(of: .place)
    let last = try database.prepare("SELECT max(sequence) FROM event WHERE journal = ? AND \(checks.isIntact(.event))")
    for (journal, feed) in damaged {
      guard let sequence = try last.first(.text(journal), read: { $0.integer(0) }) ?? nil else { continue }
      try statements.insertPlace(EventPlace(journal: journal, sequence: UInt64(clamping: sequence)), feed: feed)
    }
  }

  /// Turns damaged deliveries into dead letters, and returns their number.
  private func makeDeadLetters(at time: Instant) throws(DatabaseError) -> Int {
    let damagedEvents = "SELECT id FROM event WHERE NOT \(checks.isIntact(.event))"
    let damaged =
      "event IN (\(damagedEvents)) OR (target, event) IN (SELECT target, event FROM delivery WHERE NOT \(checks.isIntact(.delivery)))"
    try database.prepare(
      "INSERT INTO dead (target, json, reason, time) SELECT target, json, ?, ? FROM delivery JOIN event ON id = event WHERE \(damaged)"
    ).run(.text(Self.reason), .integer(time.microseconds))
    var dead = database.changes
    try database.prepare(
      "INSERT INTO dead (target, json, reason, time) SELECT '?', json, ?, ? FROM event WHERE \(Self.withoutDelivery)"
    ).run(.text("its target is unknown, because its row in the outbox was damaged"), .integer(time.microseconds))
    dead += database.changes
    // A trigger of the schema removes an event with its last delivery.
    try database.execute("DELETE FROM delivery WHERE \(damaged) OR \(Self.withoutEvent)")
    try database.execute("DELETE FROM event WHERE \(Self.withoutDelivery)")
    return dead
  }
}
