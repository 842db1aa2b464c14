import Events
import Instants
import Records
import SQLite

/// The readable rows of an outbox with a damaged structure.
///
/// Rows with a wrong checksum are treated as in `OutboxRepair`: a delivery becomes a dead letter, and a place or the clock is derived from
/// the events.
struct OutboxSalvage {
  private struct QueuedEvent {
    let place: EventPlace
    let event: Event
    let queued: Int64
    let age: Int64
    var targets: [String] = []
    let isIntact: Bool
  }

  private struct Place {
    let place: EventPlace
    let feed: Int64
    let isIntact: Bool
  }

  private struct Waiting {
    let event: Int64
    let target: String
    let isIntact: Bool
  }

  /// Whether rows have checksums; those of earlier versions have none.
  var hasChecksums = true
  /// The id of the database according to most rows.
  var id: Int64 = 0
  private var places: [Place] = []
  private var events: [QueuedEvent] = []
  private var letters: [Outbox.DeadLetter] = []
  private var announced: [String: Set<String>] = [:]
  private var clock: Int64 = 0
  /// Deliveries that become dead letters because their row or that of the event is damaged.
  private var damaged: [(target: String, json: String)] = []
  /// Deliveries whose event cannot be read.
  private var lost = 0
  /// Whether a table could not be read to its end.
  var hasGaps = false

  /// Reads a damaged file. The salvage is empty if nothing can be read.
  init(_ path: String) {
    do throws(DatabaseError) {
      read(try Database.copy(of: path))
    } catch {
      hasGaps = true
    }
  }

  /// Writes the rows to another outbox in their order, and returns a summary of kept and lost rows.
  func restore(to database: Database, _ statements: OutboxStatements, at time: Instant) throws(DatabaseError) -> String {
    try database.transaction { () throws(DatabaseError) in
      for place in places { try statements.insertPlace(place.place, feed: place.feed) }
      for event in events where !event.targets.isEmpty {
        let id = try statements.insert(
          event.event, at: event.place, queued: Span(microseconds: event.queued), age: Span(microseconds: event.age))
        for target in event.targets { try statements.insertDelivery(target, of: id) }
      }
      for letter in letters { try statements.insertDeadLetter(letter) }
      for letter in damaged {
        try statements.insertDeadLetter(.init(target: letter.target, json: letter.json, reason: OutboxRepair.reason, time: time))
      }
      for (target, regions) in announced { try statements.setAnnounced(target, regions) }
      try statements.setClock(Span(microseconds: clock))
    }
    let count = events.reduce(0) { $0 + $1.targets.count }
    let kept =
      "\(Count.text(count, "delivery", plural: "deliveries")) and \(Count.text(letters.count, "dead letter")) could be read and were kept"
    let buried =
      damaged.isEmpty ? "" : Count.text(damaged.count, "delivery is a dead letter", plural: "deliveries are dead letters") + " now, "
    let rest =
      lost > 0
      ? Count.text(lost, "delivery", plural: "deliveries") + " lost" : hasGaps ? "others may be lost" : "no other delivery was waiting"
    return "\(kept), \(buried)\(rest)"
  }

  private mutating func read(_ database: Database) {
    readID(database)
    readDeliveries(database)
    readClock(database)
    readPlaces(database)
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
}

// MARK: Tables with checksums

extension OutboxSalvage {
  private mutating func readID(_ database: Database) {
    do throws(DatabaseError) {
      _ = try database.prepare("SELECT checksum FROM event LIMIT 0")
    } catch {
      hasChecksums = false
      return
    }
    let heads = rows(database, "SELECT name, id FROM head", "name") { row in row.integer(1).map { (key: row.text(0) ?? "", value: $0) } }
    var votes = heads.reduce(into: [:]) { votes, id in votes[id, default: 0] += 1 }
    for table in [CheckedTable.event, .delivery] {
      for row in checkedRows(database, table) {
        guard let checksum = row.checksum else { continue }
        votes[table.id(of: row.values, checksum: checksum), default: 0] += 1
      }
    }
    id = votes.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
  }

  private mutating func readDeliveries(_ database: Database) {
    var deliveries: [Waiting] = []
    var places: [[DatabaseValue]: Int] = [:]
    for row in checkedRows(database, .delivery) {
      guard let target = row.values[0].text, let event = row.values[1].integer else { continue }
      let delivery = Waiting(event: event, target: target, isIntact: isIntact(row, .delivery))
      // Damaged pages may contain a row twice, one of them intact.
      if let place = places[row.values] {
        if delivery.isIntact { deliveries[place] = delivery }
      } else {
        places[row.values] = deliveries.count
        deliveries.append(delivery)
      }
    }
    var found: [Int64: QueuedEvent] = [:]
    for row in checkedRows(database, .event) {
      if let (id, event) = event(row), found[id]?.isIntact != true { found[id] = event }
    }
    // An unreadable page ends a scan, but a search by key finds the rows of other pages.
    for id in Set(deliveries.map(\.event)) where found[id]?.isIntact != true {
      if let row = row(database, .event, "id = \(id)"), let (_, event) = event(row), event.isIntact || found[id] == nil {
        found[id] = event
      }
    }
    for delivery in deliveries {
      guard let event = found[delivery.event] else {
        lost += 1
        continue
      }
      if event.isIntact && delivery.isIntact {
        found[delivery.event]?.targets.append(delivery.target)
      } else {
        damaged.append((delivery.target, event.event.json))
      }
    }
    events = found.sorted { $0.key < $1.key }.map(\.value)
  }

  private func event(_ row: CheckedRow) -> (id: Int64, event: QueuedEvent)? {
    let values = row.values
    // Without a checksum, the JSON of the row shows whether it is intact.
    guard let id = values[0].integer, let event = Self.event(values[3].text), let place = event.place else { return nil }
    let isConsistent = place.journal == values[1].text && Int64(clamping: place.sequence) == values[2].integer
    return (
      id,
      QueuedEvent(
        place: place, event: event, queued: max(0, values[4].integer ?? 0), age: max(0, values[5].integer ?? 0),
        isIntact: isConsistent && isIntact(row, .event))
    )
  }

  /// Reads the clock; a damaged one is derived from the last event.
  private mutating func readClock(_ database: Database) {
    let last = events.filter(\.isIntact).map(\.queued).max() ?? 0
    let found = checkedRows(database, .clock).first { isIntact($0, .clock) }?.values[1].integer
    clock = max(0, found ?? last)
  }

  /// Reads the places; a damaged one is set behind the last waiting event of its journal, or is unknown.
  private mutating func readPlaces(_ database: Database) {
    for row in checkedRows(database, .place) {
      guard let journal = row.values[1].text, let feed = row.values[3].integer else { continue }
      let waiting = events.filter { $0.isIntact && $0.place.journal == journal }.map(\.place.sequence).max()
      let known = isIntact(row, .place) ? row.values[2].integer.flatMap { UInt64(exactly: $0) } : nil
      guard let sequence = known ?? waiting else { continue }
      places.append(Place(place: EventPlace(journal: journal, sequence: sequence), feed: feed, isIntact: known != nil))
    }
  }
}
