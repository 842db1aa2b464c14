import Instants
import SQLite

/// Deletes events that are too old or exceed the size, the oldest first.
///
/// It never deletes the last event, because the next one needs its number.
///
/// It runs only once for many events, so an idle journal is not touched.
struct Trimming {
  /// The number of events between two runs, so that most events cost nothing.
  private static let chunk = 512
  private static let interval = Span.seconds(3600)

  private let database: Database
  private let retention: Retention
  private let pageSize: Int
  private var nextByAge: Instant?
  private let usedPages: Statement
  private let oldest: Statement
  private let deletion: Statement
  private let beginning: Statement
  private let forgetting: Statement
  private let forgettingCopies: Statement

  init(_ database: Database, _ checks: RowChecks, _ retention: Retention) throws(DatabaseError) {
    self.database = database
    self.retention = retention
    pageSize = Int(try database.number("page_size"))
    usedPages = try database.prepare("SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
    oldest = try database.prepare(
      """
      SELECT journal, sequence, time, watched, clock, \(checks.isIntact(JournalTables.events)) FROM event WHERE (journal, sequence) > (?, ?) ORDER BY journal, sequence
        LIMIT \(Self.chunk)
      """)
    deletion = try database.prepare(
      """
      DELETE FROM event WHERE (journal, sequence) <= (?, ?)
        AND (journal, sequence) < (SELECT journal, sequence FROM event ORDER BY journal DESC, sequence DESC LIMIT 1)
      """)
    let checksum = checks.checksum(of: "number, identity, min(?2, last), last", in: JournalTables.journals)
    beginning = try database.prepare("UPDATE journal SET first = min(?2, last), checksum = \(checksum) WHERE number = ?1")
    forgetting = try database.prepare(
      """
      DELETE FROM journal WHERE number < (SELECT max(number) FROM journal)
        AND NOT EXISTS (SELECT 1 FROM event WHERE event.journal = journal.number)
      """)
    forgettingCopies = try database.prepare("DELETE FROM identity WHERE number NOT IN (SELECT number FROM journal)")
    // Returns the space of an earlier, larger limit to the disk.
    try database.execute("PRAGMA incremental_vacuum")
  }

  /// Returns whether events were deleted.
  ///
  /// - Parameter newest: the stamp of the last added event.
  mutating func run(_ newest: EventAge.Stamp, at now: Instant) throws(DatabaseError) -> Bool {
    let before = try trimByAge(EventAge(now: newest, age: retention.age), at: now)
    let after = try trimBySize()
    if before || after {
      try forgetting.run()
      try forgettingCopies.run()
    }
    return before || after
  }

  private mutating func trimByAge(_ age: EventAge, at now: Instant) throws(DatabaseError) -> Bool {
    guard now >= nextByAge ?? now else { return false }
    nextByAge = now + Self.interval
    guard let last = try lastTooOld(age) else { return false }
    return try delete(through: last) > 0
  }

  /// Returns the last event before the first one that is not too old.
  private func lastTooOld(_ age: EventAge) throws(DatabaseError) -> Event? {
    var last: Event?
    var place = Event.first
    while case let events = try chunk(after: place), let next = events.last {
      for event in events {
        switch age.verdict(on: event.stamp) {
        case .tooOld: last = event
        case .unknown: break
        case .young: return last
        }
      }
      guard next.isAfter(place) else { return last }
      place = next
    }
    return last
  }

  private func trimBySize() throws(DatabaseError) -> Bool {
    guard try size() > retention.size else { return false }
    // Deletes a sixteenth more than necessary, so that not every later event causes a deletion.
    while try size() > retention.size / 16 * 15, let last = try chunk(after: .first).last, try delete(through: last) > 0 {}
    return true
  }

  private func size() throws(DatabaseError) -> Int { Int(try usedPages.first { $0.integer(0) ?? 0 } ?? 0) * pageSize }

  private struct Event {
    var journal: Int64
    var sequence: Int64
    var stamp = EventAge.Stamp(time: Instant(microseconds: 0), watched: .zero)

    static let first = Event(journal: .min, sequence: .min)

    func isAfter(_ other: Event) -> Bool { (journal, sequence) > (other.journal, other.sequence) }
  }

  private func chunk(after place: Event) throws(DatabaseError) -> [Event] {
    try oldest.all(.integer(place.journal), .integer(place.sequence)) { row in
      Event(
        journal: row.integer(0) ?? 0, sequence: row.integer(1) ?? 0,
        stamp: EventAge.Stamp(
          time: Instant(microseconds: row.integer(2) ?? 0), watched: Span(microseconds: row.integer(3) ?? 0),
          // The values of a damaged row are unknown.
          isClockSynchronised: row.integer(5) == 1 ? row.integer(4).map { $0 != 0 } : false))
    }
  }

  private func delete(through last: Event) throws(DatabaseError) -> Int {
    try deletion.run(.integer(last.journal), .integer(last.sequence))
    let count = database.changes
    if count > 0 { try beginning.run(.integer(last.journal), .integer(last.sequence == .max ? .max : last.sequence + 1)) }
    return count
  }
}

/// Decides which events are too old, although the wall clock may be set by years at any time.
struct EventAge {
  /// The times in the row of an event.
  struct Stamp {
    var time: Instant
    var watched: Span
    var isClockSynchronised: Bool?
  }

  enum Verdict: Hashable {
    case tooOld
    case young
    /// Unknown; the event is as old as its neighbours.
    case unknown
  }

  /// The stamp of the newest event.
  let now: Stamp
  let age: Span

  /// Returns whether an event is too old.
  ///
  /// The wall clock counts only if it was synchronised at both ends. Otherwise the age is at least the watched time since the event. An
  /// event whose clock was known to be wrong is as old as the next one.
  func verdict(on event: Stamp) -> Verdict {
    if event.isClockSynchronised == false { return .unknown }
    let watched = now.watched - event.watched
    let wall = event.isClockSynchronised == true && now.isClockSynchronised == true ? now.time - event.time : .zero
    return max(watched, wall) > age ? .tooOld : .young
  }
}
