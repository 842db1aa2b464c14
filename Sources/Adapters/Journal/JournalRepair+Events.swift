import Records
import SQLite

extension JournalRepair {
  /// Finds damaged and missing events, and removes rows that do not belong to the journal.
  mutating func survey() throws(DatabaseError) {
    let journals = try database.prepare("SELECT number, identity, first, last FROM journal ORDER BY number").all { row in
      (number: row.integer(0) ?? 0, identity: row.text(1) ?? "", first: row.integer(2), last: row.integer(3))
    }
    var surplus = 0
    for journal in journals {
      guard let found = try extent(of: journal.number) ?? Self.range(journal.first, journal.last) else { continue }
      let first = journal.first.flatMap { $0 > 0 && $0 <= found.upperBound ? $0 : nil } ?? found.lowerBound
      let last = max(journal.last.flatMap { $0 < .max && $0 - first < 1 << 40 ? $0 : nil } ?? first, found.upperBound)
      if (first, last) != (journal.first, journal.last) { try set(first, last, of: journal.number) }
      surplus += try removeStrays(journal.number, first, last)
      try find(first, last, journal.number, journal.identity)
    }
    let known = journals.map { "\($0.number)" }.joined(separator: ", ")
    try database.execute("DELETE FROM event WHERE journal NOT IN (\(known))")
    surplus += database.changes
    if surplus > 0 { findings.append("\(Count.text(surplus, "row")) too many") }
    for journal in damaged.journals {
      findings.append("damaged or lost in journal \(journal): event \(damaged.text(of: journal))")
    }
    try checks.rebuildHead(of: JournalTables.events)
  }

  private static func range(_ first: Int64?, _ last: Int64?) -> ClosedRange<Int64>? {
    guard let first, let last, first > 0, first <= last, last - first < 1 << 40 else { return nil }
    return first...last
  }

  private func set(_ first: Int64, _ last: Int64, of journal: Int64) throws(DatabaseError) {
    let checksum = checks.checksum(of: "number, identity, ?2, ?3", in: JournalTables.journals)
    try database.prepare("UPDATE journal SET first = ?2, last = ?3, checksum = \(checksum) WHERE number = ?1")
      .run(.integer(journal), .integer(first), .integer(last))
  }

  /// Removes rows of trimmed events, and damaged rows with a number outside the journal; returns their count.
  private func removeStrays(_ journal: Int64, _ first: Int64, _ last: Int64) throws(DatabaseError) -> Int {
    try database.prepare("DELETE FROM event WHERE journal = ? AND (sequence < ? OR sequence > ?)")
      .run(.integer(journal), .integer(first), .integer(last))
    return database.changes
  }

  private mutating func find(_ first: Int64, _ last: Int64, _ number: Int64, _ journal: String) throws(DatabaseError) {
    let selection = try database.prepare(
      "SELECT sequence, \(checks.isIntact(JournalTables.events)) FROM event WHERE journal = ? ORDER BY sequence")
    var place = UInt64(first) - 1
    var ranges: [ClosedRange<UInt64>] = []
    try selection.each([.integer(number)]) { (row) throws(DatabaseError) in
      let sequence = UInt64(clamping: row.integer(0) ?? 0)
      guard sequence > place else {
        throw DatabaseError(.corrupt, path: database.path, message: "the database is damaged: events are out of order")
      }
      if sequence - place > 1 { ranges.append(place + 1...sequence - 1) }
      if row.integer(1) != 1 { ranges.append(sequence...sequence) }
      place = sequence
      return true
    }
    if place < last { ranges.append(place + 1...UInt64(last)) }
    for range in ranges { damaged.add(range, of: journal) }
  }
}
