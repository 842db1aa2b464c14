import Records
import SQLite

/// Compares the rows of a journal with their checksums and head rows when it is opened, and repairs the head rows.
///
/// Damaged events stay in place and are reported. Damaged states of regions are deleted, because an unknown state is better than a wrong
/// one.
struct JournalRepair {
  let database: Database
  let checks: RowChecks
  var findings: [String] = []
  var damaged = DamagedEvents()
  private let noted: CommittedEvents?

  /// - Parameter noted: the notes of the last commit beside the file.
  init(_ database: Database, _ checks: RowChecks, _ noted: CommittedEvents?) {
    (self.database, self.checks) = (database, checks)
    self.noted = noted?.database == checks.id ? noted : nil
  }

  /// Reports lost commits, deletes the states of regions, which are outdated, and reserves the numbers of the lost events.
  mutating func note(_ lost: LostCommits) throws(DatabaseError) {
    findings.append("\(lost)")
    guard case .last = lost else { return }
    try database.transaction { () throws(DatabaseError) in
      try database.execute("DELETE FROM region; DELETE FROM life")
      try extend()
    }
  }

  /// Extends the row of the journal to the noted events.
  private func extend() throws(DatabaseError) {
    guard let noted else { return }
    let checksum = checks.checksum(of: "number, identity, coalesce(first, ?2), ?3", in: JournalTables.journals)
    try database.prepare(
      """
      UPDATE journal SET first = coalesce(first, ?2), last = ?3, checksum = \(checksum)
        WHERE number = ?1 AND coalesce(last, 0) < ?3 AND coalesce(first, ?2) BETWEEN 1 AND ?3
      """
    ).run(.integer(noted.journal), .integer(noted.first), .integer(noted.last))
  }

  /// Reads all rows. Throws `corrupt` for rows that are out of order.
  consuming func run() throws(DatabaseError) -> (findings: [String], damaged: DamagedEvents) {
    let found = try JournalTables.all.map { (table) throws(DatabaseError) in (table, try checks.findings(in: table)) }
    let isIntact = found.allSatisfy(\.1.isIntact)
    // Events that were lost before an earlier start are known only by their numbers.
    if isIntact, try lostCount() == 0 { return (findings, damaged) }
    try database.transaction { [self] () throws(DatabaseError) in
      for (table, findings) in found where !findings.isIntact { try mend(table, findings) }
      try extend()
    }
    let earlier = findings.count
    var mending = self
    try mending.survey()
    if !isIntact {
      // The survey has already reported events in more detail.
      for (table, findings) in found where !findings.isIntact && (table != JournalTables.events || mending.findings.count == earlier) {
        mending.findings.append("table \(table.name): \(findings)")
      }
    }
    return (mending.findings, mending.damaged)
  }

  private func mend(_ table: CheckedTable, _ findings: TableFindings) throws(DatabaseError) {
    switch table {
    case JournalTables.journals: try mendJournals()
    case JournalTables.events: break
    case JournalTables.identities: try mendIdentities()
    default:
      // Outdated rows cannot be distinguished from current ones.
      let isStale = findings.damaged == 0 && findings.expected.map { $0 <= findings.intact } ?? false
      if isStale { try database.execute("DELETE FROM \(table.name)") } else { _ = try checks.removeDamagedRows(of: table) }
    }
    try checks.rebuildHead(of: table)
  }

  /// Returns the number of missing events.
  private func lostCount() throws(DatabaseError) -> Int64 {
    try database.prepare(
      """
      SELECT coalesce(sum(last - first + 1), 0) - (SELECT count(*) FROM event) FROM journal
        WHERE first > 0 AND last BETWEEN first AND first + 1000000000000
      """
    ).first { $0.integer(0) ?? 0 } ?? 0
  }
}

// MARK: Journals

extension JournalRepair {
  private struct Journal {
    var number: Int64
    var identity: String
    var first: Int64?
    var last: Int64?
    var checksum: Int64
    var isIntact: Bool
  }

  /// Repairs the rows of journals, because clients identify a journal by its identity.
  private func mendJournals() throws(DatabaseError) {
    let journals = try database.prepare(
      "SELECT number, identity, first, last, checksum, \(checks.isIntact(JournalTables.journals)) FROM journal"
    )
    .all { row in
      Journal(
        number: row.integer(0) ?? 0, identity: row.text(1) ?? "", first: row.integer(2), last: row.integer(3),
        checksum: row.integer(4) ?? 0, isIntact: row.integer(5) == 1)
    }
    // Ignores damaged keys: an event of a journal whose row is lost has a correct checksum.
    var orphans: [Int64] = []
    for number in try eventJournals() where !journals.contains(where: { $0.number == number }) {
      if try extent(of: number) != nil { orphans.append(number) }
    }
    for journal in journals where !journal.isIntact {
      var mended = try mended(journal)
      // The damage may be in its number.
      if try extent(of: journal.number) == nil, let number = orphans.first {
        try database.prepare("DELETE FROM journal WHERE number = ?").run(.integer(journal.number))
        (mended, orphans) = (try self.mended(journal, number: number), Array(orphans.dropFirst()))
      }
      try write(mended)
    }
    for number in orphans {
      try write(Journal(number: number, identity: try copy(of: number) ?? JournalIdentity().description, checksum: 0, isIntact: true))
    }
  }

  /// Returns the identity from the other table or from the notes; `nil` if these are damaged too.
  private func copy(of number: Int64) throws(DatabaseError) -> String? {
    try database.prepare("SELECT identity FROM identity WHERE number = ? AND \(checks.isIntact(JournalTables.identities))")
      .first(.integer(number)) { $0.text(0) } ?? (noted?.journal == number ? noted?.identity : nil)
  }

  private func mendIdentities() throws(DatabaseError) {
    let checksum = checks.checksum(of: "number, identity", in: JournalTables.identities)
    try database.execute("DELETE FROM identity; INSERT INTO identity SELECT number, identity, \(checksum) FROM journal")
  }

  private func eventJournals() throws(DatabaseError) -> [Int64] {
    try database.prepare("SELECT DISTINCT journal FROM event ORDER BY journal").all { $0.integer(0) ?? 0 }
  }

  private func mended(_ journal: Journal, number: Int64? = nil) throws(DatabaseError) -> Journal {
    var journal = journal
    journal.number = number ?? journal.number
    if let identity = try copy(of: journal.number) ?? identity(of: journal) { journal.identity = identity }
    if !JournalIdentity.isValid(journal.identity) { journal.identity = JournalIdentity().description }
    (journal.first, journal.last) = (nil, nil)
    return journal
  }

  /// Returns the identity that matches the checksum of the row, with at most one octet changed; `nil` if there is none.
  private func identity(of journal: Journal) -> String? {
    func fits(_ identity: String) -> Bool {
      let values: [DatabaseValue] = [.integer(journal.number), .text(identity), .integer(journal.first), .integer(journal.last)]
      return JournalTables.journals.checksum(of: values, id: checks.id) == journal.checksum
    }
    let octets = Array(journal.identity.utf8)
    // Any other length is a different kind of damage, and a long text would take too long.
    guard octets.count == 36 else { return nil }
    for index in octets.indices {
      for octet in "0123456789abcdef-".utf8 {
        var changed = octets
        changed[index] = octet
        let identity = String(decoding: changed, as: UTF8.self)
        if JournalIdentity.isValid(identity), fits(identity) { return identity }
      }
    }
    return nil
  }

  private func write(_ journal: Journal) throws(DatabaseError) {
    let checksum = checks.checksum(of: "?1, ?2, ?3, ?4", in: JournalTables.journals)
    let found = try extent(of: journal.number)
    try database.prepare("INSERT OR REPLACE INTO journal VALUES (?1, ?2, ?3, ?4, \(checksum))")
      .run(.integer(journal.number), .text(journal.identity), .integer(found?.lowerBound), .integer(found?.upperBound))
  }

  /// Returns the numbers of the first and the last intact event; `nil` without any.
  func extent(of journal: Int64) throws(DatabaseError) -> ClosedRange<Int64>? {
    let found = try database.prepare(
      "SELECT min(sequence), max(sequence) FROM event WHERE journal = ? AND \(checks.isIntact(JournalTables.events))"
    )
    .first(.integer(journal)) { ($0.integer(0), $0.integer(1)) }
    guard let (first, last) = found, let first, let last else { return nil }
    return first...last
  }
}
