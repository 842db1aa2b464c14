import DeliveryScheduling
import EventLoop
import EventOutbox
import Events
import Instants
import Records
import SQLite

/// The notifier's outbox: the pending messages of each target, and the place reached in each journal.
struct OutboxStoredFile: StoredFile {
  struct Truth {
    /// The pending messages, as JSON by the message's name, by target.
    var waiting: [String: [String: String]] = [:]
    var places: [String: UInt64] = [:]
    var letters = 0
    /// The id of the database: the log of another one must not be read.
    var id: Int64?
  }

  static let targets = ["till", "home", "script"]
  private static let policy = DeliveryPolicy()

  let name = "outbox"
  let fileName = "outbox.db"
  let isDatabase = true

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Truth) throws -> Void) throws {
    var truth = Truth()
    var generator = random
    defer { random = generator }
    do {
      let outbox = try Outbox(try Loop(), path: "\(folder)/\(fileName)", device: "d")
      truth.id = try RawDatabase("\(folder)/\(fileName)").rows("SELECT id FROM head").first?[0].number
      func accept(_ count: Int) throws {
        var left = count
        while left > 0 {
          let batch = min(left, .random(in: 1...8, using: &generator))
          let first = (truth.places["j"] ?? 0) + 1
          let events = (0..<batch).map { JournalStoredFile.event(first + UInt64($0), using: &generator).stamped("j") }
          _ = try outbox.accept(events) { event in
            let names = Self.targets.filter { _ in Bool.random(using: &generator) }
            if let place = event.place { for name in names { truth.waiting[name, default: [:]][Self.message(place)] = event.json } }
            return names
          }
          truth.places["j"] = first + UInt64(batch) - 1
          left -= batch
        }
        // Some are delivered or given up.
        for target in Self.targets {
          let done = try outbox.waiting(target, Self.policy, after: 0, limit: .random(in: 1...6, using: &generator))
          let settled = done.map { (target: target, id: $0.id, reason: Bool.random(using: &generator) ? "the server answered 400" : nil) }
          try outbox.settle(settled)
          truth.letters += settled.count { $0.reason != nil }
          for delivery in done { truth.waiting[target]?[delivery.message] = nil }
        }
      }
      try accept(.random(in: 20...60, using: &generator))
      try keep(.older, truth)
      try accept(.random(in: 20...120, using: &generator))
      try keep(.crashed, truth)
    }
    try keep(.closed, truth)
  }

  func judge(_ folder: String, untouched: String, truths: [Truth]) throws -> Verdict {
    var verdict = Verdict()
    let path = "\(folder)/\(fileName)"
    var used = Use()
    let last = truths.map { $0.places["j"] ?? 0 }.max() ?? 0
    use(path, beyond: last, &used, &verdict)
    // Its service restarts after an error.
    if used.isReported { use(path, beyond: last, &used, &verdict) }
    verdict.compare(with: truths) { truth, verdict in compare(used, truth, untouched, &verdict) }
    return verdict
  }

  /// The results of using an outbox.
  private struct Use {
    /// The JSON of each message by target.
    var found: [String: [String: String]] = [:]
    var isReported = false
    /// The place in the journal at the first start; later events are fetched again.
    var place: UInt64?
    var starts = 0
  }

  private func compare(_ used: Use, _ truth: Truth, _ untouched: String, _ verdict: inout Verdict) {
    let (found, isReported) = (used.found, used.isReported)
    let readable = Self.readable("\(untouched)/\(fileName)", truth)
    if !isReported {
      verdict.expect(used.place != nil || truth.places.isEmpty, "the place in the journal is lost and nothing says so")
      if let place = used.place {
        verdict.expect(place <= truth.places["j"] ?? 0, "the place \(place) is beyond the last event: what follows is passed over")
      }
    }
    for (target, waiting) in truth.waiting.sorted(by: { $0.key < $1.key }) {
      // Events after the place are fetched again.
      let waiting = waiting.filter { message, _ in (UInt64(message.dropFirst("d-j-".count)) ?? 0) <= used.place ?? .max }
      let lost = waiting.filter { found[target]?[$0.key] != $0.value }.keys
      let hidden = lost.filter { readable[target]?.contains($0) ?? false }
      verdict.expect(hidden.isEmpty, "\(target): \(Self.text(hidden)) can be read and are not delivered")
      verdict.expect(lost.isEmpty || isReported, "\(target): \(Self.text(Array(lost))) are lost and nothing says so")
      if isReported { verdict.reportedLosses += lost.count }
      let altered = lost.filter { found[target]?[$0] != nil }
      verdict.expect(altered.isEmpty, "\(target): \(Self.text(altered)) are delivered with another content")
    }
  }

  /// Opens the outbox, takes a new event and delivers everything.
  private func use(_ path: String, beyond last: UInt64, _ used: inout Use, _ verdict: inout Verdict) {
    used.starts += 1
    do {
      let loop = try Loop()
      let outbox = try Outbox(loop, path: path, device: "d")
      if outbox.note != nil { used.isReported = true }
      let place = outbox.places()["j"]
      if used.starts == 1 { used.place = place }
      let next = JournalStoredFile.event(saturating: max(place ?? 0, last)).stamped("j")
      _ = try outbox.accept([next]) { _ in Self.targets }
      _ = try outbox.waitingCounts()
      _ = try outbox.deadLetters()
      for target in Self.targets { try drain(outbox, target, loop.now, &used.found, &verdict) }
      if let place = next.place, place.sequence < .max {
        for target in Self.targets {
          verdict.expect(used.found[target]?[Self.message(place)] == next.json, "\(target): a new event is not delivered")
        }
      }
    } catch {
      // The notifier logs the error, and continues with an outbox in memory.
      used.isReported = true
    }
  }

  private func drain(
    _ outbox: Outbox, _ target: String, _ now: Instant, _ found: inout [String: [String: String]], _ verdict: inout Verdict
  ) throws {
    var after = Int64.min
    var expired: [String] = []
    // One of them may be the damaged one.
    defer { verdict.expect(expired.count <= 1, "\(target): \(Self.text(expired)) are given up at the first failure") }
    for _ in 0..<1000 {
      let page = try outbox.waiting(target, Self.policy, after: after, limit: 20)
      guard let last = page.last else { return }
      for delivery in page {
        if delivery.deadline <= now { expired.append(delivery.message) }
        found[target, default: [:]][delivery.message] = delivery.json
      }
      try outbox.settle(page.map { (target, $0.id, nil) })
      guard last.id > after else {
        verdict.faults.append("\(target): delivering does not get beyond \(after)")
        return
      }
      after = last.id
    }
    verdict.faults.append("\(target): delivering does not end")
  }

  private static let (events, deliveries) = (
    CheckedTable("event", ["id", "journal", "sequence", "json", "queued", "age"]), CheckedTable("delivery", ["target", "event"])
  )

  /// Returns the pending messages that SQLite alone reads from the damaged file.
  ///
  /// A row with any damaged column, including its checksum, does not count: the checksum does not tell which column is damaged, so the
  /// delivery becomes a dead letter.
  private static func readable(_ path: String, _ truth: Truth) -> [String: Set<String>] {
    guard Files.exists(path) else { return [:] }
    do {
      let database = try RawDatabase(path)
      guard try database.rows("PRAGMA application_id") == [[.integer(0x424d_4f42)]] else { return [:] }
      let rows = database.rowsFromBothEnds(
        "SELECT target, journal, sequence, json, id, queued, age, event.checksum, event, delivery.checksum FROM delivery JOIN event ON id = event",
        by: ["target", "event"])
      var result: [String: Set<String>] = [:]
      for row in rows {
        let event = row[7].number.map {
          events.id(of: [row[4], row[1], row[2], row[3], row[5], row[6]].map(\.databaseValue), checksum: $0)
        }
        let delivery = row[9].number.map { deliveries.id(of: [row[0], row[8]].map(\.databaseValue), checksum: $0) }
        guard event == truth.id, delivery == truth.id else { continue }
        guard let target = row[0].string, let journal = row[1].string, let sequence = row[2].number, sequence >= 0 else { continue }
        let message = message(EventPlace(journal: journal, sequence: UInt64(sequence)))
        if let json = row[3].string, truth.waiting[target]?[message] == json { result[target, default: []].insert(message) }
      }
      return result
    } catch {
      return [:]
    }
  }

  static func message(_ place: EventPlace) -> String { "d-\(place.journal)-\(place.sequence)" }

  private static func text(_ messages: [String]) -> String {
    messages.count > 3
      ? "\(messages.sorted().prefix(3).joined(separator: ", ")) … (\(messages.count))" : messages.sorted().joined(separator: ", ")
  }
}

extension Event {
  /// The event as a daemon sends it.
  fileprivate func stamped(_ journal: String) -> Event {
    var event = self
    event.journal = journal
    return event
  }
}
