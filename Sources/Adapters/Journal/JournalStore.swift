import Instants
import Records
import Regions
import SQLite

/// The events of one journal in a database, and what is left of the journals before it.
///
/// Each call is one commit, which is on the disk when the call returns.
final class JournalStore {
  let identity: JournalIdentity
  /// Zero before the first event.
  private(set) var lastSequence: UInt64

  /// Why other users may read or replace the file; nil when they may not.
  var permissionWarning: String? { database.permissionWarning }

  private let database: Database
  private let number: Int64
  private var trimming: Trimming
  private let states: SavedStates
  private let insertion: Statement
  private let selection: Statement

  /// - Parameter identity: of a journal to begin; nil goes on with the one that was written last, or begins one.
  init(_ database: Database, _ retention: Retention, identity wanted: JournalIdentity? = nil) throws(DatabaseError) {
    self.database = database
    try Schema.journal.apply(to: database)
    // The cache's default is 2 MB, and the log's 4 MB.
    try database.execute("PRAGMA cache_size = -256; PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 1048576")
    (number, identity) = try database.transaction { () throws(DatabaseError) in
      let last = try database.prepare("SELECT number, identity FROM journal ORDER BY number DESC LIMIT 1").first { row in
        (number: row.integer(0) ?? 0, identity: JournalIdentity(stored: row.text(1) ?? ""))
      }
      let identity = wanted ?? last?.identity ?? JournalIdentity()
      try Self.enter(identity, in: database)
      let number = try database.prepare("SELECT number FROM journal WHERE identity = ?").first(.text(identity.description)) {
        $0.integer(0) ?? 0
      }
      return (number ?? 0, identity)
    }
    let last = try database.prepare("SELECT max(sequence) FROM event WHERE journal = ?").first(.integer(number)) { $0.integer(0) }
    lastSequence = UInt64(clamping: (last ?? nil) ?? 0)
    insertion = try database.prepare("INSERT INTO event (journal, sequence, time, details) VALUES (?, ?, ?, ?)")
    selection = try database.prepare(
      "SELECT details FROM event WHERE journal = (SELECT number FROM journal WHERE identity = ?) AND sequence > ? ORDER BY sequence LIMIT ?"
    )
    trimming = try Trimming(database, retention)
    states = try SavedStates(database)
  }

  /// Writes in any case, so that a disk that cannot be written shows now and not at the first event.
  private static func enter(_ identity: JournalIdentity, in database: Database) throws(DatabaseError) {
    try database.prepare("INSERT INTO journal (identity) VALUES (?) ON CONFLICT DO UPDATE SET identity = excluded.identity")
      .run(.text(identity.description))
  }

  /// Says in the file that a journal follows this one. Throws while it cannot be written.
  func announce(_ next: JournalIdentity) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in try Self.enter(next, in: database) }
  }

  /// The file at `path`, which nobody else may use meanwhile.
  convenience init(path: String, _ retention: Retention, identity: JournalIdentity? = nil) throws(DatabaseError) {
    let database = try Database(path: path, .exclusive)
    try database.quickCheck()
    try self.init(database, retention, identity: identity)
    try database.enableWriteAheadLog()
  }

  /// Adds events, each with a `time` and a `sequence` that is greater than the one before, and what they made of their regions.
  func append(_ events: [Record], _ regions: [SavedRegion] = [], _ life: LifeSign? = nil, at now: Instant) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      if let life { try states.save(regions, life) }
      for event in events {
        try insertion.run(
          .integer(number), .integer(Int64(clamping: event.sequence)), .integer(event.time.microseconds), .text(event.json))
        trimming.note(event.time, at: now)
      }
      try trimming.run(at: now)
    }
    lastSequence = events.last?.sequence ?? lastSequence
  }

  /// These are all the regions that there are.
  func save(_ regions: [SavedRegion], _ life: LifeSign) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      try states.save(regions, life)
      try states.keepOnly(Set(regions.map(\.identifier)))
    }
  }

  func savedRegions() throws(DatabaseError) -> [SavedRegion] { try states.regions() }

  /// When somebody watched last; nil when nobody has yet.
  func lastLife() throws(DatabaseError) -> LifeSign? { try states.life() }

  /// The events after `sequence` of that journal, at most `limit`, in order. None of one that is not here.
  func events(of journal: String, after sequence: UInt64, limit: Int) throws(DatabaseError) -> [Record] {
    try selection.all(.text(journal), .integer(Int64(clamping: sequence)), .integer(Int64(limit))) { (row) throws(DatabaseError) in
      do throws(JSONError) {
        return try Record(json: row.text(0) ?? "")
      } catch {
        throw DatabaseError(.corrupt, path: database.path, message: "an event of journal \(journal) is damaged: \(error)")
      }
    }
  }

  /// The journals before this one of which something is left, oldest first.
  func earlierJournals() throws(DatabaseError) -> [String] {
    try database.prepare("SELECT identity FROM journal WHERE number < ? ORDER BY number").all(.integer(number)) { $0.text(0) ?? "" }
  }
}

extension Record {
  var sequence: UInt64 {
    if case .count(let sequence) = self["sequence"] { sequence } else { 0 }
  }

  fileprivate var time: Instant { self["time"]?.time ?? Instant(microseconds: 0) }
}
