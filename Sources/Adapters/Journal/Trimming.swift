import Instants
import SQLite

/// Deletes the events that are too old or take too much room, the oldest first and never the last one, whose number the next one needs.
///
/// It costs something only with every so many events: an idle journal is not touched.
struct Trimming {
  /// Whole chunks go, so that most events cost nothing.
  private static let chunk = 512
  private static let interval = Span.seconds(3600)

  private let database: Database
  private let retention: Retention
  private let pageSize: Int
  private var age = EventAge()
  private var nextByAge: Instant?
  private let usedPages: Statement
  private let oldest: Statement
  private let deletion: Statement
  private let forgetting: Statement

  init(_ database: Database, _ retention: Retention) throws(DatabaseError) {
    self.database = database
    self.retention = retention
    pageSize = Int(try database.number("page_size"))
    usedPages = try database.prepare("SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
    oldest = try database.prepare("SELECT journal, sequence, time FROM event ORDER BY journal, sequence LIMIT \(Self.chunk)")
    deletion = try database.prepare(
      """
      DELETE FROM event WHERE (journal, sequence) <= (?, ?)
        AND (journal, sequence) < (SELECT journal, sequence FROM event ORDER BY journal DESC, sequence DESC LIMIT 1)
      """)
    forgetting = try database.prepare(
      """
      DELETE FROM journal WHERE number < (SELECT max(number) FROM journal)
        AND NOT EXISTS (SELECT 1 FROM event WHERE event.journal = journal.number)
      """)
    // Room that a larger limit has left behind goes back to the disk.
    try database.execute("PRAGMA incremental_vacuum")
  }

  /// An event of this time is being added.
  mutating func note(_ eventTime: Instant, at now: Instant) {
    age.note(eventTime, at: now)
  }

  mutating func run(at now: Instant) throws(DatabaseError) {
    let before = try trimByAge(at: now)
    let after = try trimBySize()
    if before || after { try forgetting.run() }
  }

  private mutating func trimByAge(at now: Instant) throws(DatabaseError) -> Bool {
    guard now >= nextByAge ?? now else { return false }
    nextByAge = now + Self.interval
    guard let tooOld = age.tooOld(at: now, keeping: retention.age) else { return false }
    var hasTrimmed = false
    while let last = try chunk().last(where: { tooOld.contains($0.time) }), try delete(through: last) > 0 { hasTrimmed = true }
    return hasTrimmed
  }

  private func trimBySize() throws(DatabaseError) -> Bool {
    guard try size() > retention.size else { return false }
    // A sixteenth more than necessary, so that not every event from here on has to make room for itself.
    while try size() > retention.size / 16 * 15, let last = try chunk().last, try delete(through: last) > 0 {}
    return true
  }

  private func size() throws(DatabaseError) -> Int { Int(try usedPages.first { $0.integer(0) ?? 0 } ?? 0) * pageSize }

  private typealias Event = (journal: Int64, sequence: Int64, time: Instant)

  private func chunk() throws(DatabaseError) -> [Event] {
    try oldest.all { ($0.integer(0) ?? 0, $0.integer(1) ?? 0, Instant(microseconds: $0.integer(2) ?? 0)) }
  }

  private func delete(through last: Event) throws(DatabaseError) -> Int {
    try deletion.run(.integer(last.journal), .integer(last.sequence))
    return database.changes
  }
}
