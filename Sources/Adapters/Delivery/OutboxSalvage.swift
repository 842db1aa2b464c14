import Instants
import Records
import SQLite

/// What can be read in an outbox whose structure is damaged: places, what waits, dead letters, and what brokers were told of.
struct OutboxSalvage {
  private struct Event {
    let place: EventPlace
    let json: Record
    let queued: Int64
    let age: Int64
    var targets: [String]
  }

  private var places: [(place: EventPlace, feed: Int64)] = []
  private var events: [Event] = []
  private var letters: [Outbox.DeadLetter] = []
  private var announced: [String: Set<String>] = [:]
  private var clock: Int64 = 0
  /// Deliveries whose event cannot be read.
  private var lost = 0
  /// Whether a table could not be read to its end.
  private var hasGaps = false

  /// Never fails: of a file in which nothing can be read it holds nothing.
  init(_ path: String) {
    do throws(DatabaseError) {
      read(try Database.copy(of: path))
    } catch {
      hasGaps = true
    }
  }

  /// Writes all of it to another outbox, in its order; says what was kept and what was lost.
  func restore(to database: Database, _ statements: OutboxStatements) throws(DatabaseError) -> String {
    try database.transaction { () throws(DatabaseError) in
      for (place, feed) in places { try statements.insertPlace(place, feed: feed) }
      for event in events {
        let id = try statements.insert(
          event.json, at: event.place, queued: Span(microseconds: event.queued), age: Span(microseconds: event.age))
        for target in event.targets { try statements.insertDelivery(target, of: id) }
      }
      for letter in letters { try statements.insertDeadLetter(letter) }
      for (target, regions) in announced { try statements.setAnnounced(target, regions) }
      try statements.setClock(Span(microseconds: clock))
    }
    let count = events.reduce(0) { $0 + $1.targets.count }
    let kept =
      "\(count) deliver\(count == 1 ? "y" : "ies") and \(letters.count) dead letter\(letters.count == 1 ? "" : "s") could be read and are kept"
    let rest = lost > 0 ? "\(lost) deliver\(lost == 1 ? "y" : "ies") lost" : hasGaps ? "others may be lost" : "nothing else waited"
    return "\(kept), \(rest)"
  }

  private mutating func read(_ database: Database) {
    places = rows(database, "SELECT position, journal, sequence, feed FROM place", "position") {
      row -> (key: String, value: (place: EventPlace, feed: Int64))? in
      guard let position = row.integer(0), let journal = row.text(1), let sequence = row.integer(2), sequence >= 0,
        let feed = row.integer(3)
      else { return nil }
      return ("\(position)", (EventPlace(journal: journal, sequence: UInt64(sequence)), feed))
    }
    var targets: [Int64: [String]] = [:]
    let deliveries = rows(database, "SELECT target, event FROM delivery", "target", "event") {
      row -> (key: String, value: (event: Int64, target: String))? in
      guard let target = row.text(0), let event = row.integer(1) else { return nil }
      return ("\(event) \(target)", (event: event, target: target))
    }
    for delivery in deliveries { targets[delivery.event, default: []].append(delivery.target) }
    events = rows(database, "SELECT id, journal, sequence, json, queued, age FROM event", "id") { row -> (key: String, value: Event)? in
      // The row's own JSON tells whether it is whole.
      guard let id = row.integer(0), let json = Self.record(row.text(3)), let place = json.place, place.journal == row.text(1),
        Int64(clamping: place.sequence) == row.integer(2), let names = targets.removeValue(forKey: id)
      else { return nil }
      return (
        "\(id)", Event(place: place, json: json, queued: max(0, row.integer(4) ?? 0), age: max(0, row.integer(5) ?? 0), targets: names)
      )
    }
    lost = targets.values.reduce(0) { $0 + $1.count }
    // No event was queued after the clock's last time; where the clock is damaged, the last event tells it.
    clock =
      rows(database, "SELECT only, microseconds FROM clock", "only") { row -> (key: String, value: Int64)? in
        row.integer(1).map { ("", $0) }
      }.first ?? 0
    clock = max(0, clock)
    letters = rows(database, "SELECT id, target, json, reason, time FROM dead", "id") { row -> (key: String, value: Outbox.DeadLetter)? in
      guard let id = row.integer(0), let target = row.text(1), let json = row.text(2), let reason = row.text(3), let time = row.integer(4)
      else { return nil }
      return ("\(id)", Outbox.DeadLetter(target: target, json: json, reason: reason, time: Instant(microseconds: time)))
    }
    let known = rows(database, "SELECT target, region FROM announced", "target", "region") {
      row -> (key: String, value: (target: String, region: String))? in
      guard let target = row.text(0), let region = row.text(1) else { return nil }
      return ("\(target) \(region)", (target: target, region: region))
    }
    for (target, region) in known { announced[target, default: []].insert(region) }
  }

  /// The rows from the first to where reading fails, and from the last backward to there, in order and each once.
  private mutating func rows<Value>(
    _ database: Database, _ selection: String, _ key: String..., read: (borrowing Row) -> (key: String, value: Value)?
  ) -> [Value] {
    var seen: Set<String> = []
    var halves: [[Value]] = []
    for direction in ["ASC", "DESC"] {
      var half: [Value] = []
      do throws(DatabaseError) {
        try database.prepare("\(selection) ORDER BY \(key.map { "\($0) \(direction)" }.joined(separator: ", "))").each([]) { row in
          if let (key, value) = read(row), seen.insert(key).inserted { half.append(value) }
          return true
        }
        return direction == "ASC" ? half : (halves.first ?? []) + half.reversed()
      } catch {
        hasGaps = true
      }
      halves.append(half)
    }
    return halves[0] + halves[1].reversed()
  }

  private static func record(_ json: String?) -> Record? {
    do throws(JSONError) { return try json.map { (json) throws(JSONError) in try Record(json: json) } } catch { return nil }
  }
}
