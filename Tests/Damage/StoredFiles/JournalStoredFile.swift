import BeaconAdvertising
import Beacons
import Events
import Instants
import Journal
import Records
import Regions
import SQLite

/// The daemon's journal: events by journal and sequence, and the states of regions.
struct JournalStoredFile: StoredFile {
  struct Truth {
    /// Every event that was acknowledged as durable, as JSON.
    var events: [EventPlace: String] = [:]
    /// The journals in order, the current one last.
    var journals: [String] = []
    var regions: [SavedRegion] = []
  }

  static let retention = Retention(age: .seconds(30 * 86_400), size: 64 << 20)
  /// 2026-11-21.
  static let day = Instant(microseconds: 1_795_219_200_000_000)

  let name = "journal"
  let fileName = "journal.db"
  let isDatabase = true

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Truth) throws -> Void) throws {
    let path = "\(folder)/\(fileName)"
    var truth = Truth()
    func commit(_ journal: EventJournal, _ count: Int) throws {
      var left = count
      while left > 0 {
        let batch = min(left, .random(in: 1...8, using: &random))
        let events = (1...batch).map { Self.event(journal.lastSequence + UInt64($0), using: &random) }
        let told = journal.commit(events, try Self.regions(journal.lastSequence), Self.heartbeat(journal.lastSequence), at: Self.day)
        truth.regions = try Self.regions(journal.lastSequence - UInt64(batch))
        for (event, told) in zip(events, told) {
          guard let place = told.place else { throw RawDatabase.Failure(description: "an event without a place") }
          truth.events[place] = event.json
          if truth.journals.last != place.journal { truth.journals.append(place.journal) }
        }
        left -= batch
      }
    }
    do {
      let journal = EventJournal(path: path, Self.retention, at: Self.day)
      try commit(journal, .random(in: 5...100, using: &random))
      try keep(.older, truth)
      try commit(journal, .random(in: 5...200, using: &random))
      try keep(.crashed, truth)
    }
    try keep(.closed, truth)
  }

  func judge(_ folder: String, untouched: String, truths: [Truth]) throws -> Verdict {
    var verdict = Verdict()
    let path = "\(folder)/\(fileName)"
    var fresh: [EventPlace: String] = [:]
    var isReported = false
    var (found, names, regions): ([EventPlace: String], [String], [SavedRegion]) = ([:], [], [])
    var isDurable = false
    do {
      let journal = EventJournal(path: path, Self.retention, at: Self.day)
      regions = journal.savedRegions()?.regions ?? []
      let events = (1...3).map { Self.event(saturating: journal.lastSequence, $0) }
      for (event, told) in zip(events, journal.commit(events, try Self.regions(1), Self.heartbeat(1), at: Self.day)) {
        guard let place = told.place else { continue }
        fresh[place] = event.json
      }
      names = journal.earlierJournals + [journal.identity.description]
      for name in names { read(name, of: journal, into: &found, &verdict, isReported: &isReported) }
      journal.save(try Self.regions(2), Self.heartbeat(2), at: Self.day)
      if journal.note != nil { isReported = true }
      let missing = fresh.filter { found[$0.key] != $0.value }
      verdict.expect(missing.isEmpty, "new events \(Self.text(missing.keys)) cannot be read back")
      isDurable = journal.isDurable
    }
    verdict.compare(with: truths) { truth, verdict in
      // A follower receives JournalChanged as the answer to its next call.
      let isToldOfChange = truth.journals.last.map { !names.contains($0) } ?? false
      let readable = Self.readable("\(untouched)/\(fileName)", truth)
      compare(found, truth, readable, fresh, isReported: isReported || isToldOfChange, &verdict)
      // An app that acts on a state that never existed would cause a false enter or exit.
      verdict.expect(regions.allSatisfy(truth.regions.contains), "a region's saved state is not the one that was saved")
    }
    if !isDurable { fresh = [:] }
    let again = EventJournal(path: path, Self.retention, at: Self.day)
    var second: [EventPlace: String] = [:]
    for name in again.earlierJournals + [again.identity.description] {
      read(name, of: again, into: &second, &verdict, isReported: &isReported)
    }
    let gone = fresh.filter { second[$0.key] != $0.value }
    verdict.expect(gone.isEmpty, "durable events \(Self.text(gone.keys)) are gone after a restart: \(again.note ?? "no note")")
    let unstable = found.filter { second[$0.key] != $0.value && fresh[$0.key] == nil }
    verdict.expect(unstable.isEmpty || again.note != nil, "events \(Self.text(unstable.keys)) were there and are gone after a restart")
    return verdict
  }

  /// Reads all events in pages, as a client does.
  func read(
    _ name: String, of journal: EventJournal, into found: inout [EventPlace: String], _ verdict: inout Verdict, isReported: inout Bool
  ) {
    var after: UInt64 = 0
    for _ in 0..<2000 {
      guard let page = page(of: name, in: journal, after: after, isReported: &isReported), !page.isEmpty else { return }
      for event in page {
        guard let place = event.place else {
          verdict.faults.append("an event without journal and sequence: \(event.json.prefix(80))")
          continue
        }
        if event.kind == .damaged {
          isReported = true
          verdict.reportedLosses += 1
        } else {
          verdict.expect(found[place] == nil, "event \(place.sequence) is delivered twice")
          found[place] = event.withoutStamp.json
        }
      }
      guard let last = page.last?.place, last.sequence > after else {
        verdict.faults.append("reading does not get beyond \(after)")
        return
      }
      after = last.sequence
    }
    verdict.faults.append("reading does not end")
  }

  /// Returns a page; nil if the journal has no more events, or is unreadable now and the client gets an error.
  func page(of name: String, in journal: EventJournal, after: UInt64, isReported: inout Bool) -> [Event]? {
    let read: (String, UInt64, Int) throws -> [Event]? = journal.events(of:after:limit:)
    do { return try read(name, after, 50) } catch {
      isReported = true
      return nil
    }
  }

  private func compare(
    _ found: [EventPlace: String], _ truth: Truth, _ readable: Set<EventPlace>, _ fresh: [EventPlace: String], isReported: Bool,
    _ verdict: inout Verdict
  ) {
    let lost = truth.events.filter { found[$0.key] != $0.value }
    let reused = fresh.keys.filter { truth.events[$0] != nil }
    verdict.expect(reused.isEmpty, "new events \(Self.text(reused)) have the numbers of older ones")
    let hidden = lost.keys.filter(readable.contains)
    verdict.expect(hidden.isEmpty, "events \(Self.text(hidden)) can be read and are not delivered")
    verdict.expect(lost.isEmpty || isReported, "events \(Self.text(lost.keys)) are lost and nothing says so")
    let altered = lost.keys.filter { found[$0] != nil }
    verdict.expect(altered.isEmpty, "events \(Self.text(altered)) are delivered with another content")
    let invented = found.keys.filter { truth.events[$0] == nil && fresh[$0] == nil }
    verdict.expect(invented.isEmpty, "events \(Self.text(invented)) never happened")
  }

  private static let table = CheckedTable("event", ["journal", "sequence", "time", "details", "watched", "clock"])

  /// Returns the true events that SQLite alone reads from the damaged file.
  ///
  /// A row with any damaged column, including its checksum, does not count.
  private static func readable(_ path: String, _ truth: Truth) -> Set<EventPlace> {
    guard Files.exists(path) else { return [] }
    do {
      let database = try RawDatabase(path)
      // For the product this is the file of another program or of a later version, which it must not read.
      guard try database.rows("PRAGMA application_id") == [[.integer(0x6263_6e6a)]] else { return [] }
      let rows = database.rowsFromBothEnds(
        "SELECT identity, event.journal, sequence, time, details, watched, clock, event.checksum FROM event JOIN journal ON number = event.journal",
        by: ["event.journal", "sequence"])
      let ids = rows.map { row in row[7].number.map { table.id(of: row[1...6].map(\.databaseValue), checksum: $0) } }
      let id = Dictionary(grouping: ids.compactMap(\.self)) { $0 }.max { $0.value.count < $1.value.count }?.key
      return Set(
        zip(rows, ids).compactMap { row, rowID in
          guard rowID == id, let journal = row[0].string, let sequence = row[2].number, sequence > 0 else { return nil }
          let place = EventPlace(journal: journal, sequence: UInt64(sequence))
          return truth.events[place] == row[4].string ? place : nil
        })
    } catch {
      return []
    }
  }

  static func text(_ places: some Collection<EventPlace>) -> String {
    let numbers = places.map(\.sequence).sorted()
    let text = numbers.prefix(4).map(String.init).joined(separator: ", ")
    return numbers.count > 4 ? "\(text) … (\(numbers.count))" : text
  }
}

// MARK: Content

extension JournalStoredFile {
  static func event(_ sequence: UInt64, using random: inout some RandomNumberGenerator) -> Event {
    let kind = [Event.Kind.enter, .exit, .dwell, .state].randomElement(using: &random) ?? .enter
    let note = String(repeating: "é\"", count: Int.random(in: 0..<60, using: &random))
    return event(sequence, kind, note)
  }

  /// Returns an event that a trial adds after `last`, which may be any number.
  static func event(saturating last: UInt64, _ number: UInt64 = 1) -> Event {
    let (sequence, isOver) = last.addingReportingOverflow(number)
    return event(isOver ? .max : sequence, .enter, "new")
  }

  private static func event(_ sequence: UInt64, _ kind: Event.Kind, _ note: String) -> Event {
    var event = Event(
      sequence: sequence, kind: kind, region: "hall \(sequence % 3) \(note)", time: day + .seconds(Double(sequence % 100_000)))
    (event.rssi, event.isClockSynchronised) = (-63.5, true)
    return event
  }

  static func heartbeat(_ number: UInt64) -> Heartbeat {
    Heartbeat(time: day + .seconds(Double(number % 100_000)), boot: "A", uptime: .seconds(Double(number % 100_000)))
  }

  static func regions(_ number: UInt64) throws -> [SavedRegion] {
    let uuid = try BeaconUUID("8ec76ea3-6668-48da-9866-75be8bc86f4d")
    return (0..<3).map { index in
      SavedRegion(
        identifier: "hall \(index)", mark: .beacons(BeaconConstraint(uuid: uuid, major: UInt16(index))),
        state: number % 2 == 0 ? .inside : .outside, remembered: .inside, since: day, history: RegionHistory(at: day))
    }
  }
}

extension RawDatabase.Value {
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let octets): .text(String(decoding: octets, as: UTF8.self))
    case .blob(let octets): .blob(octets)
    }
  }
}

extension Event {
  /// The event without the keys that the journal adds when it returns the event.
  fileprivate var withoutStamp: Event {
    var event = self
    (event.journal, event.isDurable) = (nil, nil)
    return event
  }
}
