import Events
import Glibc
import Instants
import Records
import SQLite

/// Copies every readable row of a damaged journal into a new file.
///
/// The copy proceeds page by page, so that a damaged page costs only its own rows.
///
/// Identities and numbers stay the same, so clients continue where they were. Lost events are gaps between the first and the last number,
/// and are reported as damaged.
struct JournalSalvage {
  /// The number of copied events.
  private(set) var copied = 0

  private struct Journal {
    var identity: String
    var first: Int64?
    var last: Int64?
  }

  private let path: String
  private var journals: [Int64: Journal] = [:]
  /// Identities by number, for journals whose own row is not found.
  private var identities: [Int64: String] = [:]
  /// The id of the database of the rows; `nil` for a file of the first version, whose rows have no checksums.
  private var id: Int64?
  /// The notes of the last commit.
  private let noted: CommittedEvents?

  /// Scans the damaged file at `path`. Throws if it cannot be read at all.
  init(_ path: String) throws(DatabaseError) {
    self.path = path
    noted = CommittedEvents(beside: path)
    let scan = try PageScan(path: path)
    var votes: [Int64: Int] = [:]
    scan.rows { row in
      guard let (table, values, checksum) = Self.checked(row) else { return }
      let id = table.id(of: values, checksum: checksum)
      // Each damaged row votes for a different database.
      if votes.count < 65_536 || votes[id] != nil { votes[id, default: 0] += 1 }
    }
    if let best = votes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), best.value > 1 { id = best.key }
    scan.rows { row in
      // Within a page, the last version of a row comes first.
      if let (number, identity) = identity(row), identities[number] == nil { identities[number] = identity }
      guard let (number, journal) = journal(row), journals[number].map({ ($0.last ?? 0) < (journal.last ?? 0) }) ?? true else { return }
      journals[number] = journal
    }
  }

  /// Returns the path of the copy of `path`.
  static func copyPath(of path: String) -> String { path + ".copy" }

  /// Writes the copy in one commit. Returns whether there was anything to copy.
  mutating func write() throws(DatabaseError) -> Bool {
    let states = DamagedStates(path)
    let copy = Self.copyPath(of: path)
    for suffix in ["", "-journal", "-wal"] { unlink(copy + suffix) }
    let database = try Database(path: copy, .exclusive)
    try Schema.journal.apply(to: database)
    let checks = try RowChecks(database, JournalTables.all)
    try database.transaction { () throws(DatabaseError) in
      try copyEvents(database, checks)
      try copyJournals(database, checks)
      try states?.copy(to: database, checks)
    }
    return copied > 0 || !journals.isEmpty
  }

  private mutating func copyEvents(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    let values = "?1, ?2, ?3, ?4, ?5, ?6"
    let insertion = try database.prepare(
      "INSERT OR IGNORE INTO event VALUES (\(values), \(checks.checksum(of: values, in: JournalTables.events)))")
    var count = 0
    try PageScan(path: path).rows { (row) throws(DatabaseError) in
      guard let event = event(row) else { return }
      try insertion.run(event[0], event[1], event[2], event[3], event[4], event[5])
      count += database.changes
    }
    copied = count
  }

  /// Copies the journals that were found, and adds new ones for events of the others.
  private func copyJournals(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    let extents = try database.prepare("SELECT journal, min(sequence), max(sequence) FROM event GROUP BY journal").all { row in
      (number: row.integer(0) ?? 0, first: row.integer(1), last: row.integer(2))
    }
    let insertion = try database.prepare(
      "INSERT INTO journal VALUES (?1, ?2, ?3, ?4, \(checks.checksum(of: "?1, ?2, ?3, ?4", in: JournalTables.journals)))")
    let copies = try database.prepare(
      "INSERT INTO identity VALUES (?1, ?2, \(checks.checksum(of: "?1, ?2", in: JournalTables.identities)))")
    let noted = noted.flatMap { $0.database == id ? $0 : nil }
    for number in Set(journals.keys).union(extents.map(\.number)).sorted() {
      let found = extents.first { $0.number == number }
      let extent = noted?.journal == number ? noted : nil
      let journal = journals[number] ?? Journal(identity: identities[number] ?? extent?.identity ?? JournalIdentity().description)
      try copies.run(.integer(number), .text(journal.identity))
      let last = [journal.last, found?.last, extent?.last].compactMap(\.self).max()
      let first = journal.first ?? found?.first ?? extent?.first
      try insertion.run(.integer(number), .text(journal.identity), .integer(first), .integer(last))
    }
    // Removes rows of unused pages, which were trimmed.
    try database.execute("DELETE FROM event WHERE sequence < (SELECT first FROM journal WHERE number = event.journal)")
  }
}

// MARK: Rows

extension JournalSalvage {
  /// Returns the checked table whose shape the row has; `nil` if there is none.
  private static func checked(_ row: PageScan.Row) -> (CheckedTable, values: [DatabaseValue], checksum: Int64)? {
    guard case .integer(let checksum) = row.values.last else { return nil }
    let values = Array(row.values.dropLast())
    switch (row.id, values.count) {
    case (nil, JournalTables.events.columns.count): return (JournalTables.events, values, checksum)
    case (let id?, JournalTables.identities.columns.count): return (JournalTables.identities, [.integer(id)] + values.dropFirst(), checksum)
    // The row id is the key.
    case (let id?, JournalTables.journals.columns.count): return (JournalTables.journals, [.integer(id)] + values.dropFirst(), checksum)
    default: return nil
    }
  }

  /// Returns the values of the columns of an intact event; `nil` for any other row.
  private func event(_ row: PageScan.Row) -> [DatabaseValue]? {
    if let id {
      guard let (table, values, checksum) = Self.checked(row), table == JournalTables.events, table.checksum(of: values, id: id) == checksum
      else { return nil }
      return values
    }
    guard row.id == nil, row.values.count == 4, case .integer = row.values[0], case .integer(let sequence) = row.values[1],
      case .integer(let time) = row.values[2], case .text(let details) = row.values[3]
    else { return nil }
    let stored = StoredEvent(
      sequence: UInt64(clamping: sequence), time: Instant(microseconds: time), details: details, isClockSynchronised: nil, isIntact: true)
    let event = stored.event
    guard sequence > 0, event.damagedSequences == nil, event.time == stored.time else { return nil }
    let clock: Int64? = event.isClockSynchronised.map { $0 ? 1 : 0 }
    return row.values + [.integer(0), .integer(clock)]
  }

  private func identity(_ row: PageScan.Row) -> (number: Int64, identity: String)? {
    guard let id, let number = row.id, let (table, values, checksum) = Self.checked(row), table == JournalTables.identities,
      table.checksum(of: values, id: id) == checksum, case .text(let identity) = values[1], JournalIdentity.isValid(identity)
    else { return nil }
    return (number, identity)
  }

  private func journal(_ row: PageScan.Row) -> (number: Int64, Journal)? {
    guard let number = row.id, row.values.count >= 2, case .text(let identity) = row.values[1], JournalIdentity.isValid(identity) else {
      return nil
    }
    guard let id else { return row.values.count == 2 ? (number, Journal(identity: identity)) : nil }
    guard let (table, values, checksum) = Self.checked(row), table == JournalTables.journals, table.checksum(of: values, id: id) == checksum
    else { return nil }
    func integer(_ value: DatabaseValue) -> Int64? { if case .integer(let integer) = value { integer } else { nil } }
    return (number, Journal(identity: identity, first: integer(values[2]), last: integer(values[3])))
  }
}

/// The states of regions in a damaged file, as far as SQLite can read them.
///
/// A page scan cannot be used here, because unused pages may contain outdated states with a correct checksum.
private struct DamagedStates {
  private let regions: [(identifier: String?, state: String?)]
  private let heartbeat: [DatabaseValue]?

  /// Returns `nil` if the states cannot be read, or if later commits are lost.
  init?(_ path: String) {
    guard !WriteAheadLog.isDamaged(beside: path) else { return nil }
    do throws(DatabaseError) {
      let database = try Database(path: path, .readOnly)
      let checks = try RowChecks(database, JournalTables.all)
      regions = try database.prepare("SELECT identifier, state FROM region WHERE \(checks.isIntact(JournalTables.regions))").all {
        ($0.text(0), $0.text(1))
      }
      heartbeat = try database.prepare("SELECT time, boot, uptime, watched FROM life WHERE \(checks.isIntact(JournalTables.life))").first {
        row in
        [.integer(row.integer(0)), .text(row.text(1)), .integer(row.integer(2)), .integer(row.integer(3))]
      }
    } catch {
      return nil
    }
  }

  func copy(to database: Database, _ checks: RowChecks) throws(DatabaseError) {
    let insertion = try database.prepare("INSERT INTO region VALUES (?1, ?2, \(checks.checksum(of: "?1, ?2", in: JournalTables.regions)))")
    for region in regions { try insertion.run(.text(region.identifier), .text(region.state)) }
    guard let heartbeat else { return }
    let checksum = checks.checksum(of: "1, ?1, ?2, ?3, ?4", in: JournalTables.life)
    try database.prepare("INSERT INTO life VALUES (1, ?1, ?2, ?3, ?4, \(checksum))")
      .run(heartbeat[0], heartbeat[1], heartbeat[2], heartbeat[3])
  }
}
