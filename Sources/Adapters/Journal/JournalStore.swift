import Events
import Instants
import Regions
import SQLite

/// The events of one journal in a database, and the remaining events of earlier journals.
///
/// Each call is one commit, which is durable when the call returns.
final class JournalStore {
  let identity: JournalIdentity
  /// The earlier journals that still have events, the oldest first.
  private(set) var earlierJournals: [String] = []
  /// Damage that was found on opening.
  private(set) var findings: [String]
  /// Events that were damaged or missing on opening.
  let damaged: DamagedEvents

  /// The reason why other users can read or replace the file; `nil` if they cannot.
  var permissionWarning: String? { database.permissionWarning }

  private let database: Database
  private let checks: RowChecks
  private let number: Int64
  /// The range of numbers of each journal without trimmed events; `nil` before its first event.
  private var extents: [String: ClosedRange<UInt64>?] = [:]
  private var trimming: Trimming
  private var watched: WatchedTime
  private let states: SavedStates
  private let insertion: Statement
  private let end: Statement
  private let selection: Statement

  /// - Parameters:
  ///   - identity: the identity of a journal to begin; `nil` continues the last one, or begins one.
  ///   - path: the path of the file, beside which commits are counted; `nil` for memory.
  init(
    _ database: Database, _ retention: Retention, identity wanted: JournalIdentity? = nil, at now: Instant, path: String? = nil
  ) throws(DatabaseError) {
    self.database = database
    try Schema.journal.apply(to: database)
    // The default of the cache is 2 MB, and that of the log 4 MB.
    try database.execute("PRAGMA cache_size = -256; PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 1048576")
    checks = try RowChecks(database, JournalTables.all)
    let noted = path.flatMap { CommittedEvents(beside: $0) }
    let lost = try path.map { [checks] (path) throws(DatabaseError) in try checks.countCommits(beside: path) } ?? nil
    var mending = JournalRepair(database, checks, noted)
    if let lost { try mending.note(lost) }
    (findings, damaged) = try mending.run()
    let (begun, identity) = try database.transaction { [checks] () throws(DatabaseError) in
      let last = try database.prepare("SELECT identity FROM journal ORDER BY number DESC LIMIT 1").first { $0.text(0) } ?? nil
      let identity = wanted ?? last.map { JournalIdentity(stored: $0) } ?? JournalIdentity()
      return (try Self.enter(identity, in: database, checks), identity)
    }
    (number, self.identity) = (begun, identity)
    let (events, journals) = (JournalTables.events, JournalTables.journals)
    let values = "?1, ?2, ?3, ?4, ?5, ?6"
    insertion = try database.prepare("INSERT INTO event VALUES (\(values), \(checks.checksum(of: values, in: events)))")
    end = try database.prepare(
      """
      UPDATE journal SET first = coalesce(first, ?2), last = ?3,
        checksum = \(checks.checksum(of: "number, identity, coalesce(first, ?2), ?3", in: journals)) WHERE number = ?1
      """)
    selection = try database.prepare(
      """
      SELECT sequence, time, details, clock, \(checks.isIntact(events)) FROM event
        WHERE journal = (SELECT number FROM journal WHERE identity = ?) AND sequence > ? ORDER BY sequence LIMIT ?
      """)
    trimming = try Trimming(database, checks, retention)
    states = try SavedStates(database, checks)
    let last = try states.lastHeartbeat()
    let newest =
      try database.prepare(
        // With a damaged time, every other event would be too old.
        """
        SELECT max(watched) FROM
          (SELECT watched FROM event WHERE \(checks.isIntact(events)) ORDER BY journal DESC, sequence DESC LIMIT 1)
        """
      )
      .first { $0.integer(0) } ?? nil
    watched = WatchedTime(max(.zero, last?.watched ?? .zero, Span(microseconds: newest ?? 0)), last?.heartbeat, at: now)
    try readExtents()
  }

  /// Opens the file at `path` exclusively, and checks all of it.
  convenience init(path: String, _ retention: Retention, identity: JournalIdentity? = nil, at now: Instant) throws(DatabaseError) {
    let repairs = try WriteAheadLog.prepare(beside: path, JournalTables.all)
    if WriteAheadLog.isDamaged(beside: path) {
      throw DatabaseError(.corrupt, path: path, message: "the database is damaged: commits in its log cannot be read")
    }
    let database = try Database(path: path, .exclusive)
    // Also checks the order of rows and indexes, without which SQLite misses existing rows. Takes 20 ms more than quick_check for 78 MB.
    try database.integrityCheck()
    try self.init(database, retention, identity: identity, at: now, path: path)
    findings = repairs + findings
    try database.enableWriteAheadLog()
  }

  /// The sequence of the last event; 0 before the first one.
  var lastSequence: UInt64 { (extents[identity.description] ?? nil)?.upperBound ?? 0 }

  /// Writes the row of the journal, even if it exists.
  ///
  /// A disk that is not writable is therefore detected now, not at the first event.
  private static func enter(_ identity: JournalIdentity, in database: Database, _ checks: RowChecks) throws(DatabaseError) -> Int64 {
    let number = try database.prepare("SELECT coalesce(max(number), 0) + 1 FROM journal").first { $0.integer(0) ?? 0 } ?? 1
    let checksum = checks.checksum(of: "?1, ?2, NULL, NULL", in: JournalTables.journals)
    try database.prepare(
      "INSERT INTO journal VALUES (?1, ?2, NULL, NULL, \(checksum)) ON CONFLICT DO UPDATE SET identity = excluded.identity"
    )
    .run(.integer(number), .text(identity.description))
    let found =
      try database.prepare("SELECT number FROM journal WHERE identity = ?").first(.text(identity.description)) { $0.integer(0) ?? 0 }
      ?? number
    let copy = checks.checksum(of: "?1, ?2", in: JournalTables.identities)
    try database.prepare("INSERT OR REPLACE INTO identity VALUES (?1, ?2, \(copy))").run(.integer(found), .text(identity.description))
    return found
  }

  /// Records in the file that another journal follows this one. Throws if the file cannot be written.
  func announce(_ next: JournalIdentity) throws(DatabaseError) {
    _ = try database.transaction { () throws(DatabaseError) in try Self.enter(next, in: database, checks) }
  }

  private func readExtents() throws(DatabaseError) {
    let journals = try database.prepare("SELECT number, identity, first, last FROM journal ORDER BY number").all { row in
      (number: row.integer(0) ?? 0, identity: row.text(1) ?? "", first: row.integer(2), last: row.integer(3))
    }
    earlierJournals = journals.filter { $0.number < number }.map(\.identity)
    extents = journals.reduce(into: [:]) { extents, journal in
      extents[journal.identity] = .some(
        journal.first.flatMap { first in journal.last.flatMap { first > 0 && $0 >= first ? UInt64(first)...UInt64($0) : nil } })
    }
  }
}

// MARK: Writing

extension JournalStore {
  /// Adds events and the resulting states of regions.
  ///
  /// - Parameter events: each has a `time`, and a `sequence` that is greater than the previous one.
  func append(
    _ events: [StoredEvent], _ regions: [SavedRegion] = [], _ heartbeat: Heartbeat? = nil, at now: Instant
  ) throws(DatabaseError) {
    guard let first = events.first, let last = events.last else { return }
    if let heartbeat { watched.note(heartbeat, at: now) }
    let time = watched.value(at: now)
    let known = extents[identity.description] ?? nil
    let extent = (known?.lowerBound ?? first.sequence)...max(last.sequence, known?.lowerBound ?? first.sequence)
    let hasTrimmed = try database.transaction(noting: CommittedEvents(identity, number, extent).notes) { () throws(DatabaseError) in
      if let heartbeat { try states.save(regions, heartbeat, watched: time) }
      for event in events {
        try insertion.run(
          .integer(number), .integer(Int64(clamping: event.sequence)), .integer(event.time.microseconds), .text(event.details),
          .integer(time.microseconds), .integer(event.isClockSynchronised.map { $0 ? 1 : 0 }))
      }
      try end.run(.integer(number), .integer(Int64(clamping: first.sequence)), .integer(Int64(clamping: last.sequence)))
      return try trimming.run(.init(time: last.time, watched: time, isClockSynchronised: last.isClockSynchronised), at: now)
    }
    extents[identity.description] = .some(extent)
    if hasTrimmed { try readExtents() }
  }

  /// Saves the states of all regions, and removes others.
  func save(_ regions: [SavedRegion], _ heartbeat: Heartbeat, at now: Instant) throws(DatabaseError) {
    watched.note(heartbeat, at: now)
    try database.transaction { () throws(DatabaseError) in
      try states.save(regions, heartbeat, watched: watched.value(at: now))
      try states.keepOnly(Set(regions.map(\.identifier)))
    }
  }
}

// MARK: Reading

extension JournalStore {
  func savedRegions() throws(DatabaseError) -> [SavedRegion] { try states.regions() }

  /// Returns the last time at which a daemon was running; `nil` if there is none.
  func lastHeartbeat() throws(DatabaseError) -> Heartbeat? { try states.lastHeartbeat()?.heartbeat }

  /// Returns whether a journal is in this database.
  func holds(_ journal: String) -> Bool { extents[journal] != nil }

  /// Returns the events of a journal after `sequence` in order, at most `limit`; empty for an unknown journal.
  ///
  /// A damaged event represents events that cannot be read. Throws `corrupt` for rows that are out of order, which would be read forever.
  func events(of journal: String, after sequence: UInt64, limit: Int) throws(DatabaseError) -> [Event] {
    guard let numbers = extents[journal] ?? nil, limit > 0, sequence < numbers.upperBound else { return [] }
    var events: [Event] = []
    // Events before the first one were trimmed.
    var place = max(sequence, numbers.lowerBound - 1)
    let rows = try rows(of: journal, after: place, limit: limit)
    for row in rows {
      guard row.sequence > place else {
        throw DatabaseError(.corrupt, path: database.path, message: "the database is damaged: events are out of order")
      }
      if row.sequence - place > 1 { events.append(.damaged(place + 1...row.sequence - 1, .missing)) }
      events.append(row.event)
      place = row.sequence
    }
    if rows.count < limit, place < numbers.upperBound { events.append(.damaged(place + 1...numbers.upperBound, .missing)) }
    return Array(events.prefix(limit))
  }

  /// Returns the rows as they are in the file.
  func rows(of journal: String, after sequence: UInt64, limit: Int) throws(DatabaseError) -> [StoredEvent] {
    try selection.all(.text(journal), .integer(Int64(clamping: sequence)), .integer(Int64(limit))) { row in
      StoredEvent(
        sequence: UInt64(clamping: row.integer(0) ?? 0), time: Instant(microseconds: row.integer(1) ?? 0), details: row.text(2) ?? "",
        isClockSynchronised: row.integer(3).map { $0 != 0 }, isIntact: row.integer(4) == 1)
    }
  }
}

/// The total time for which the journal was in use, measured by clocks that cannot be set.
///
/// While the daemon runs, this is the monotonic clock; between two starts in the same boot it is the time since boot. Time in which the
/// machine was off does not count. An event is therefore at least as old as the watched time since it.
struct WatchedTime {
  private var watched: Span
  private var start: Instant
  private var boot: String?
  private var uptime: Span

  /// - Parameters:
  ///   - watched: the watched time at the last heartbeat, or at the last event after it.
  ///   - heartbeat: the last heartbeat; `nil` if there is none.
  init(_ watched: Span, _ heartbeat: Heartbeat?, at now: Instant) {
    (self.watched, start) = (watched, now)
    (boot, uptime) = (heartbeat?.boot, heartbeat?.uptime ?? .zero)
  }

  func value(at now: Instant) -> Span { watched + max(.zero, now - start) }

  /// Adds the time since the last heartbeat. Within one boot, this includes sleep and time in which no daemon was running.
  mutating func note(_ heartbeat: Heartbeat, at now: Instant) {
    let sinceLast = boot != nil && heartbeat.boot == boot ? max(.zero, heartbeat.uptime - uptime) : .zero
    watched = watched + max(sinceLast, now - start)
    (start, boot, uptime) = (now, heartbeat.boot, heartbeat.uptime)
  }
}
