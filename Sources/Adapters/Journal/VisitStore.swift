import Events
import Instants
import Logging
import SQLite
import VisitStatistics
import Visits

/// The file `visits.db` of the numbers of each day.
///
/// It is open only while it is used, which is at most once a minute. A file that cannot be read is moved aside, and a new one begins with
/// the events that the journal still has. A damaged row is skipped.
public final class VisitStore: VisitFile {
  /// The maximum number of rows, about 30 MB; the oldest days are removed first.
  static let mostRows = 200_000

  private let path: String?
  private let log: Logger
  /// The database in memory, if there is no file.
  private var memory: Connection?
  /// The newest day when the number of days was last limited.
  private var trimmedDay: Int?
  /// Whether the rows of the file were compared with their checksums.
  private var isChecked = false

  private typealias Connection = (database: Database, checks: RowChecks)

  /// - Parameter path: the path of the file, whose folder must exist; nil for memory.
  public init(path: String?, log: Logger) {
    (self.path, self.log) = (path, log)
  }

  public func loadCheckpoint() throws(VisitFileFailure) -> StoredVisitCheckpoint {
    try using { (connection) throws(DatabaseError) in try Self.checkpoint(connection) }
  }

  public func add(_ changes: [DailyVisits], _ checkpoint: VisitCheckpoint, after sequence: UInt64?, mostDays: Int) throws(VisitFileFailure)
    -> Bool
  {
    let newest = changes.map(\.key.day).max()
    let trims = newest != nil && newest != trimmedDay
    let isAdded = try using { (connection) throws(DatabaseError) in
      try connection.database.transaction { () throws(DatabaseError) in
        let stored: VisitCheckpoint? = if case .checkpoint(let checkpoint) = try Self.checkpoint(connection) { checkpoint } else { nil }
        guard stored?.sequence == sequence else { return false }
        try Self.add(changes, connection)
        try Self.replace(checkpoint, connection)
        if trims { try Self.trim(mostDays, connection.database) }
        return true
      }
    }
    if isAdded, trims { trimmedDay = newest }
    return isAdded
  }

  public func days(after key: DailyVisits.Key?, limit: Int) throws(VisitFileFailure) -> [DailyVisits] {
    try using { (connection) throws(DatabaseError) in
      try connection.database.prepare(
        """
        \(Self.selection) WHERE (day, region) > (?1, ?2) AND \(connection.checks.isIntact(.day)) ORDER BY day, region LIMIT ?3
        """
      )
      .all(.integer(key.map { Int64($0.day) } ?? .min), .text(key?.region ?? ""), .integer(Int64(limit))) { row in Self.day(row) }
      .compactMap(\.self)
    }
  }
}

// MARK: - The rows

extension VisitStore {
  private static let selection = "SELECT day, region, kind, visits, ended, inside, longest, hours FROM day"

  private static func add(_ changes: [DailyVisits], _ connection: Connection) throws(DatabaseError) {
    let (database, checks) = connection
    let values = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8"
    let stored = try database.prepare("\(selection) WHERE day = ? AND region = ? AND \(checks.isIntact(.day))")
    let insertion = try database.prepare("INSERT OR REPLACE INTO day VALUES (\(values), \(checks.checksum(of: values, in: .day)))")
    for change in changes {
      let rows = try stored.all(.integer(Int64(change.key.day)), .text(change.key.region)) { row in day(row) }
      var sum = rows.compactMap(\.self).first ?? DailyVisits(change.key)
      sum.add(change)
      try insertion.run(
        .integer(Int64(sum.key.day)), .text(sum.key.region), sum.kind.map { .text($0.rawValue) } ?? .null, .integer(Int64(sum.visits)),
        .integer(Int64(sum.ended)), .integer(sum.inside.microseconds), .integer(sum.longest.microseconds),
        .blob(octets(sum.visitsByHour)))
    }
  }

  private static func replace(_ checkpoint: VisitCheckpoint, _ connection: Connection) throws(DatabaseError) {
    let (database, checks) = connection
    try database.execute("DELETE FROM visit")
    let places = "1, ?1, ?2, ?3"
    try database.prepare("INSERT OR REPLACE INTO book VALUES (\(places), \(checks.checksum(of: places, in: .book)))").run(
      .text(checkpoint.journal), .integer(Int64(bitPattern: checkpoint.sequence)),
      checkpoint.latest.map { .integer($0.microseconds) } ?? .null)
    let values = "?1, ?2, ?3, ?4, ?5"
    let insertion = try database.prepare("INSERT INTO visit VALUES (\(values), \(checks.checksum(of: values, in: .visit)))")
    for visit in checkpoint.open {
      try insertion.run(
        .text(visit.region), visit.kind.map { .text($0.rawValue) } ?? .null, visit.began.map { .integer($0.microseconds) } ?? .null,
        visit.insideSince.map { .integer($0.microseconds) } ?? .null, .integer(visit.isClockSynchronised ? 1 : 0))
    }
  }

  /// Removes the oldest days beyond `mostDays`, and those beyond the number of rows that the file may have.
  private static func trim(_ mostDays: Int, _ database: Database) throws(DatabaseError) {
    try database.prepare("DELETE FROM day WHERE day <= (SELECT day FROM day GROUP BY day ORDER BY day DESC LIMIT 1 OFFSET ?)")
      .run(.integer(Int64(mostDays)))
    try database.prepare("DELETE FROM day WHERE day <= (SELECT day FROM day ORDER BY day DESC, region DESC LIMIT 1 OFFSET ?)")
      .run(.integer(Int64(mostRows)))
  }

  private static func checkpoint(_ connection: Connection) throws(DatabaseError) -> StoredVisitCheckpoint {
    let (database, checks) = connection
    let rows = try database.prepare("SELECT journal, sequence, latest FROM book WHERE \(checks.isIntact(.book))").all { row in
      (row.text(0) ?? "", UInt64(bitPattern: row.integer(1) ?? 0), row.integer(2).map { Instant(microseconds: $0) })
    }
    guard let (journal, sequence, latest) = rows.first else {
      let isNew = try database.prepare("SELECT (SELECT count(*) FROM book) + (SELECT count(*) FROM day)").first { $0.integer(0) } == 0
      return isNew ? .new : .lost
    }
    let open = try database.prepare("SELECT region, kind, began, inside, synchronised FROM visit WHERE \(checks.isIntact(.visit))").all {
      row in
      VisitCounter.OpenVisit(
        region: row.text(0) ?? "", kind: row.text(1).flatMap { RegionKind(rawValue: $0) },
        began: row.integer(2).map { Instant(microseconds: $0) }, insideSince: row.integer(3).map { Instant(microseconds: $0) },
        isClockSynchronised: row.integer(4) == 1)
    }
    return .checkpoint(VisitCheckpoint(journal: journal, sequence: sequence, latest: latest, open: open))
  }

  /// Returns the visits in a row; nil if its numbers are impossible.
  private static func day(_ row: borrowing Row) -> DailyVisits? {
    guard let day = row.integer(0), let region = row.text(1), let hours = row.blob(7), hours.count == 24 * 4 else { return nil }
    var visits = DailyVisits(.init(day: Int(day), region: region), row.text(2).flatMap { RegionKind(rawValue: $0) })
    (visits.visits, visits.ended) = (Int(row.integer(3) ?? 0), Int(row.integer(4) ?? 0))
    visits.inside = Span(microseconds: row.integer(5) ?? 0)
    visits.longest = Span(microseconds: row.integer(6) ?? 0)
    visits.visitsByHour = (0..<24).map { hour in (0..<4).reduce(0) { $0 | Int(hours[4 * hour + $1]) << (8 * $1) } }
    return visits
  }

  /// Returns numbers of 32 bits, the lowest octet first.
  private static func octets(_ counts: [Int]) -> [UInt8] {
    counts.flatMap { count in (0..<4).map { UInt8(truncatingIfNeeded: UInt32(clamping: count) >> (8 * UInt32($0))) } }
  }
}

// MARK: - The file

extension VisitStore {
  private func using<Value>(_ body: (Connection) throws(DatabaseError) -> Value) throws(VisitFileFailure) -> Value {
    do throws(DatabaseError) {
      return try body(try connection())
    } catch {
      throw VisitFileFailure("\(path ?? "memory"): \(error.message)")
    }
  }

  private func connection() throws(DatabaseError) -> Connection {
    guard let path else {
      if let memory { return memory }
      let database = try Database.inMemory()
      try Schema.visits.apply(to: database)
      let opened = (database, try RowChecks(database, CheckedTable.visits))
      memory = opened
      return opened
    }
    do throws(DatabaseError) {
      return try opened(path)
    } catch  where error.isUnreadable && error.reason != .fromTheFuture {
      guard let name = UnreadableFile.moveAside(path) else { throw error }
      log.warning("\(path) could not be read and was moved to \(name); its intact days are kept: \(error.message)")
      (trimmedDay, isChecked) = (nil, true)
      let connection = try opened(path)
      try Self.copyIntact(from: name, to: connection)
      return connection
    }
  }

  /// Copies the intact rows of a damaged file, up to a place at which it cannot be read.
  private static func copyIntact(from path: String, to connection: Connection) throws(DatabaseError) {
    var days: [DailyVisits] = []
    var stored = StoredVisitCheckpoint.new
    do throws(DatabaseError) {
      let database = try Database(path: path, .exclusive)
      let checks = try RowChecks(database, CheckedTable.visits)
      try database.prepare("\(selection) WHERE \(checks.isIntact(.day))").each([]) { row in
        if let day = day(row) { days.append(day) }
        return true
      }
      stored = try checkpoint((database, checks))
    } catch {
      // The log has named the damage. Days without their checkpoint mean that it is lost.
    }
    try connection.database.transaction { [days, stored] () throws(DatabaseError) in
      try add(days, connection)
      if case .checkpoint(let checkpoint) = stored { try replace(checkpoint, connection) }
    }
  }

  private func opened(_ path: String) throws(DatabaseError) -> Connection {
    let database = try Schema.visits.open(path, .exclusive)
    let checks = try RowChecks(database, CheckedTable.visits)
    if !isChecked {
      try database.integrityCheck()
      try mend(database, checks)
      isChecked = true
    }
    return (database, checks)
  }

  /// Reports damaged and missing rows once, and removes the damaged ones.
  private func mend(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    for table in [CheckedTable.day, .visit] {
      let findings = try checks.findings(in: table)
      guard !findings.isIntact else { continue }
      log.warning("\(database.path): numbers of visits are damaged or lost: \(findings)")
      try database.transaction { () throws(DatabaseError) in
        _ = try checks.removeDamagedRows(of: table)
        try checks.rebuildHead(of: table)
      }
    }
  }
}
