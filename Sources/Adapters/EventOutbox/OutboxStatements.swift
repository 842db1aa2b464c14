import DeliveryScheduling
import Events
import Instants
import Records
import SQLite

/// The prepared statements of the outbox.
final class OutboxStatements {
  struct Waiting {
    let id: Int64
    let place: EventPlace
    let event: Event
    let json: String
    let queued: Span
    let age: Span
  }

  private let database: Database
  private let insertEventStatement, insertDeliveryStatement, setClockStatement: Statement
  private let clearPlacesStatement, insertPlaceStatement: Statement
  private let lastEventStatement, waitingStatement, removeStatement, deadLetterStatement, trimStatement: Statement

  init(_ database: Database, _ checks: RowChecks) throws(DatabaseError) {
    self.database = database
    insertEventStatement = try database.prepare(
      "INSERT INTO event VALUES (?1, ?2, ?3, ?4, ?5, ?6, \(checks.checksum(of: "?1, ?2, ?3, ?4, ?5, ?6", in: .event)))")
    insertDeliveryStatement = try database.prepare("INSERT INTO delivery VALUES (?1, ?2, \(checks.checksum(of: "?1, ?2", in: .delivery)))")
    clearPlacesStatement = try database.prepare("DELETE FROM place WHERE feed = ?")
    insertPlaceStatement = try database.prepare(
      """
      INSERT INTO place (position, journal, sequence, feed, checksum)
        SELECT next, ?1, ?2, ?3, \(checks.checksum(of: "next, ?1, ?2, ?3", in: .place))
        FROM (SELECT coalesce(max(position), 0) + 1 AS next FROM place)
      """)
    setClockStatement = try database.prepare(
      "INSERT OR REPLACE INTO clock VALUES (0, ?1, \(checks.checksum(of: "0, ?1", in: .clock)))")
    // sqlite_sequence alone is not protected by checksums.
    lastEventStatement = try database.prepare(
      """
      SELECT max(coalesce((SELECT max(id) FROM event), 0), coalesce((SELECT max(event) FROM delivery), 0),
        coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event' AND seq < 1 << 62), 0))
      """)
    waitingStatement = try database.prepare(
      """
      SELECT id, journal, sequence, json, queued, age FROM delivery JOIN event ON id = event
      WHERE target = ? AND event > ? ORDER BY event LIMIT ?
      """)
    removeStatement = try database.prepare("DELETE FROM delivery WHERE target = ? AND event = ?")
    deadLetterStatement = try database.prepare("INSERT INTO dead (target, json, reason, time) SELECT ?, json, ?, ? FROM event WHERE id = ?")
    trimStatement = try database.prepare(
      "DELETE FROM dead WHERE target = ? AND id <= (SELECT id FROM dead WHERE target = ? ORDER BY id DESC LIMIT 1 OFFSET ?)")
  }

  func places(_ feed: EventFeed) throws(DatabaseError) -> EventPlaces {
    EventPlaces(
      try database.prepare("SELECT journal, sequence FROM place WHERE feed = ? ORDER BY position").all(.integer(feed.rawValue)) { row in
        EventPlace(journal: row.text(0) ?? "", sequence: UInt64(clamping: row.integer(1) ?? 0))
      })
  }

  func setPlaces(_ places: EventPlaces, _ feed: EventFeed) throws(DatabaseError) {
    try clearPlacesStatement.run(.integer(feed.rawValue))
    for place in places.all { try insertPlace(place, feed: feed.rawValue) }
  }

  /// Returns the clock in microseconds.
  func clock() throws(DatabaseError) -> Int64 {
    try database.prepare("SELECT microseconds FROM clock").first { $0.integer(0) ?? 0 } ?? 0
  }

  func setClock(_ clock: Span) throws(DatabaseError) {
    try setClockStatement.run(.integer(clock.microseconds))
  }

  /// Inserts an event, and returns its id.
  func insert(_ event: Event, at place: EventPlace, queued: Span, age: Span) throws(DatabaseError) -> Int64 {
    let id = try nextEvent()
    try insertEventStatement.run(
      .integer(id), .text(place.journal), .integer(Int64(clamping: place.sequence)), .text(event.json), .integer(queued.microseconds),
      .integer(age.microseconds))
    return id
  }

  /// Returns an unused id that is larger than those of all earlier events.
  private func nextEvent() throws(DatabaseError) -> Int64 {
    let last = try lastEventStatement.first { $0.integer(0) ?? 0 } ?? 0
    let (id, overflow) = last.addingReportingOverflow(1)
    guard !overflow else { throw DatabaseError(.full, path: database.path, message: "the numbers of events are exhausted") }
    return id
  }

  func insertDelivery(_ target: String, of event: Int64) throws(DatabaseError) {
    try insertDeliveryStatement.run(.text(target), .integer(event))
  }

  func waiting(_ target: String, after id: Int64, limit: Int) throws(DatabaseError) -> [Waiting] {
    try waitingStatement.all(.text(target), .integer(id), .integer(Int64(limit)), read: Self.waiting)
  }

  /// Returns the events with deliveries, in order.
  func events(after id: Int64, limit: Int) throws(DatabaseError) -> [Waiting] {
    try database.prepare(
      """
      SELECT id, journal, sequence, json, queued, age FROM event
      WHERE id > ? AND EXISTS (SELECT 1 FROM delivery WHERE event = id) ORDER BY id LIMIT ?
      """
    ).all(.integer(id), .integer(Int64(limit)), read: Self.waiting)
  }

  func targets(of event: Int64) throws(DatabaseError) -> [String] {
    try database.prepare("SELECT target FROM delivery WHERE event = ? ORDER BY target").all(.integer(event)) { $0.text(0) ?? "" }
  }

  private static func waiting(_ row: borrowing Row) -> Waiting {
    let json = row.text(3) ?? ""
    return Waiting(
      id: row.integer(0) ?? 0, place: EventPlace(journal: row.text(1) ?? "", sequence: UInt64(clamping: row.integer(2) ?? 0)),
      event: event(json, row.integer(2) ?? 0), json: json, queued: Span(microseconds: row.integer(4) ?? 0),
      age: Span(microseconds: row.integer(5) ?? 0))
  }

  /// Returns the event, or a damaged one if another program wrote to the file; the delivery continues with the original text.
  private static func event(_ json: String, _ sequence: Int64) -> Event {
    do throws(JSONError) { return try Event(json: json) } catch {
      return .damaged(UInt64(clamping: sequence)...UInt64(clamping: sequence), .unreadable)
    }
  }

  func remove(_ target: String, _ id: Int64) throws(DatabaseError) {
    try removeStatement.run(.text(target), .integer(id))
  }

  func makeDeadLetters(_ target: String, _ id: Int64, _ reason: String, at time: Instant) throws(DatabaseError) {
    try deadLetterStatement.run(.text(target), .text(reason), .integer(time.microseconds), .integer(id))
  }

  func trimDeadLetters(_ target: String, to most: Int64) throws(DatabaseError) {
    try trimStatement.run(.text(target), .text(target), .integer(most))
  }

  func targets() throws(DatabaseError) -> [String] {
    try database.prepare("SELECT DISTINCT target FROM delivery").all { $0.text(0) ?? "" }
  }

  func waitingCounts() throws(DatabaseError) -> [(target: String, count: Int)] {
    try database.prepare("SELECT target, count(*) FROM delivery GROUP BY target").all { ($0.text(0) ?? "", Int($0.integer(1) ?? 0)) }
  }

  func announced(_ target: String) throws(DatabaseError) -> Set<String> {
    Set(try database.prepare("SELECT region FROM announced WHERE target = ?").all(.text(target)) { $0.text(0) ?? "" })
  }

  func setAnnounced(_ target: String, _ regions: Set<String>) throws(DatabaseError) {
    try database.prepare("DELETE FROM announced WHERE target = ?").run(.text(target))
    let insert = try database.prepare("INSERT INTO announced VALUES (?, ?)")
    for region in regions { try insert.run(.text(target), .text(region)) }
  }

  func insertDeadLetter(_ letter: Outbox.DeadLetter) throws(DatabaseError) {
    try database.prepare("INSERT INTO dead (target, json, reason, time) VALUES (?, ?, ?, ?)").run(
      .text(letter.target), .text(letter.json), .text(letter.reason), .integer(letter.time.microseconds))
  }

  /// Appends a place.
  func insertPlace(_ place: EventPlace, feed: Int64) throws(DatabaseError) {
    try insertPlaceStatement.run(.text(place.journal), .integer(Int64(clamping: place.sequence)), .integer(feed))
  }

  func deadLetters() throws(DatabaseError) -> [Outbox.DeadLetter] {
    try database.prepare("SELECT target, json, reason, time FROM dead ORDER BY id").all { row in
      Outbox.DeadLetter(
        target: row.text(0) ?? "", json: row.text(1) ?? "", reason: row.text(2) ?? "",
        time: Instant(microseconds: row.integer(3) ?? 0))
    }
  }
}
