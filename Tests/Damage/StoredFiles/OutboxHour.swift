import DeliveryScheduling
import EventLoop
import EventOutbox
import Events
import Records
import SQLite
import Seeds

extension OutboxStoredFile: FaultyFile {
  /// A journal, and the outcome of each of its events.
  private struct Hour {
    var events: [Event] = []
    var delivered: [String: [String: String]] = [:]
    var isReported = false
  }

  func playHour(in folder: String, _ fault: Fault) throws -> Verdict {
    var verdict = Verdict()
    var hour = Hour()
    var random = SeededGenerator(seed: 9)
    let loop = try Loop()
    var place = folder
    fault.begin()
    do {
      let outbox = try open("\(folder)/\(fileName)", loop, &hour)
      play(outbox, 0..<30, &hour, using: &random)
      place = try restartFolder(folder, fault)
    }
    do {
      let outbox = try open("\(place)/\(fileName)", loop, &hour)
      play(outbox, 30..<60, &hour, using: &random)
    }
    Fault.end()
    let outbox = try Outbox(loop, path: "\(place)/\(fileName)", device: "d")
    if outbox.note != nil { hour.isReported = true }
    begin(outbox, &hour)
    play(outbox, 60..<64, &hour, using: &random)
    for target in Self.targets {
      let wanted = hour.events.filter { self.wants(target, $0) }
      let lost = wanted.filter { event in
        guard let place = event.place else { return true }
        return hour.delivered[target]?[Self.message(place)] != event.json
      }
      verdict.expect(
        lost.isEmpty || hour.isReported,
        "\(target): events \(JournalStoredFile.text(lost.compactMap(\.place))) are lost and nothing says so")
      if hour.isReported { verdict.reportedLosses += lost.count }
    }
    verdict.expect(try outbox.waitingCounts().isEmpty, "deliveries wait although every target takes them")
    return verdict
  }

  private func wants(_ target: String, _ event: Event) -> Bool {
    guard let sequence = event.place?.sequence, let index = Self.targets.firstIndex(of: target) else { return false }
    return sequence % UInt64(index + 1) == 0
  }

  /// Opens the outbox as the notifier does: if the file cannot be opened, it reports that and uses an outbox in memory.
  private func open(_ path: String, _ loop: Loop, _ hour: inout Hour) throws -> Outbox {
    do {
      let outbox = try Outbox(loop, path: path, device: "d")
      if outbox.note != nil { hour.isReported = true }
      begin(outbox, &hour)
      return outbox
    } catch {
      let outbox = try Outbox(loop, path: nil, device: "d")
      begin(outbox, &hour)
      return outbox
    }
  }

  /// Begins at the next event if there is no place.
  private func begin(_ outbox: Outbox, _ hour: inout Hour) {
    guard outbox.places().latest == nil else { return }
    do { try outbox.begin(at: EventPlaces([EventPlace(journal: "j", sequence: UInt64(hour.events.count))])) } catch {
      // The batcher logs the failure. If the disk fails until the process ends, the next one has no place.
      hour.isReported = true
    }
  }

  private func play(_ outbox: Outbox, _ minutes: Range<Int>, _ hour: inout Hour, using random: inout SeededGenerator) {
    for minute in minutes {
      if minute < 60 {
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          var event = JournalStoredFile.event(UInt64(hour.events.count + 1), using: &random)
          event.journal = "j"
          hour.events.append(event)
        }
      }
      // A refused event comes again, from the place on the disk.
      let behind = outbox.places()["j"] ?? 0
      attempt { _ = try outbox.accept(Array(hour.events.dropFirst(Int(behind)))) { event in Self.targets.filter { wants($0, event) } } }
      for target in Self.targets { attempt { try deliver(outbox, target, &hour) } }
    }
  }

  private func deliver(_ outbox: Outbox, _ target: String, _ hour: inout Hour) throws {
    let page = try outbox.waiting(target, DeliveryPolicy(), after: 0, limit: 100)
    for delivery in page { hour.delivered[target, default: [:]][delivery.message] = delivery.json }
    // At most a few are pending when a process dies, so not all are settled at once.
    try outbox.settle(page.prefix(5).map { (target, $0.id, nil) })
    try outbox.settle(page.dropFirst(5).map { (target, $0.id, nil) })
  }

  /// Runs `body`, which is retried later if the disk fails.
  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch {
      // The batcher logs the failure and waits.
    }
  }
}
