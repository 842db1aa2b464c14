import Beacons
import Events
import Instants
import Journal
import Records
import Seeds

extension JournalStoredFile: FaultyFile {
  /// The events that the journal delivered to its listeners.
  private struct Told {
    var durable: [EventPlace: String] = [:]
    /// The events in the memory of the running process.
    var inMemory: [EventPlace: String] = [:]
    /// Every event that was sent. Events in memory may enter the file when it works again, although that is not promised.
    var all: [EventPlace: String] = [:]
    /// The events whose commit failed, by the place that the commit would have given them.
    ///
    /// The disk may have taken the commit before its sync failed, so a crash may leave them in the file.
    var attempted: [EventPlace: String] = [:]
    /// Whether the loss of stored events was reported.
    var isReported = false
    /// Whether a client has learned that the journal is unreadable now.
    var isRefused = false

    /// Records a note as the daemon logs it: a note about a file that was moved aside reports the loss.
    mutating func note(_ journal: EventJournal) {
      if journal.note?.contains("journal.db.") ?? false { isReported = true }
    }
  }

  func playHour(in folder: String, _ fault: Fault) throws -> Verdict {
    var verdict = Verdict()
    var told = Told()
    var random = SeededGenerator(seed: 7)
    var place = folder
    fault.begin()
    do {
      let journal = EventJournal(path: "\(folder)/\(fileName)", Self.retention, at: Self.day)
      told.note(journal)
      try play(journal, 0..<30, &told, &verdict, using: &random)
      place = try restartFolder(folder, fault)
    }
    // Events that were never on the disk end with the process, as they were marked.
    told.inMemory = [:]
    do {
      let journal = EventJournal(path: "\(place)/\(fileName)", Self.retention, at: Self.day + .seconds(1800))
      try play(journal, 30..<60, &told, &verdict, using: &random)
      Fault.end()
      let end = Self.day + .seconds(3720)
      if !journal.isDurable { journal.retry(at: end) }
      verdict.expect(journal.isDurable, "the file works again and is not used: \(journal.note ?? "no note")")
      try commit(1, to: journal, at: end, &told, &verdict, using: &random)
      look(journal, "before the end", told.durable.merging(told.inMemory) { $1 }, &told, &verdict)
    }
    let journal = EventJournal(path: "\(place)/\(fileName)", Self.retention, at: Self.day + .seconds(3800))
    verdict.expect(journal.isDurable, "the file works again and is not opened: \(journal.note ?? "no note")")
    look(journal, "after the end", told.durable.merging(told.inMemory) { $1 }, &told, &verdict)
    return verdict
  }

  private func play(
    _ journal: EventJournal, _ minutes: Range<Int>, _ told: inout Told, _ verdict: inout Verdict, using random: inout SeededGenerator
  ) throws {
    for minute in minutes {
      let now = Self.day + .seconds(Double(minute) * 60)
      if journal.nextRetry <= now { journal.retry(at: now) }
      told.note(journal)
      let count = Int.random(in: 0...3, using: &random)
      if count > 0 { try commit(count, to: journal, at: now, &told, &verdict, using: &random) }
      if minute % 10 == 9 { journal.save(try Self.regions(UInt64(minute)), Self.heartbeat(UInt64(minute)), at: now) }
      if minute % 7 == 3 { _ = page(of: journal.identity.description, in: journal, after: 0, isReported: &told.isRefused) }
    }
  }

  private func commit(
    _ count: Int, to journal: EventJournal, at now: Instant, _ told: inout Told, _ verdict: inout Verdict,
    using random: inout SeededGenerator
  ) throws {
    let last = journal.lastSequence
    let events = (1...count).map { Self.event(last + UInt64($0), using: &random) }
    let identity = journal.identity.description
    let answers = journal.commit(events, try Self.regions(last), Self.heartbeat(last), at: now)
    told.note(journal)
    verdict.expect(answers.count == events.count, "\(events.count - answers.count) events are not told")
    for (event, answer) in zip(events, answers) {
      guard let place = answer.place else { continue }
      if place.journal != identity { told.attempted[EventPlace(journal: identity, sequence: place.sequence)] = event.json }
      verdict.expect(
        (told.durable[place] ?? told.inMemory[place]).map { $0 == event.json } ?? true,
        "event \(place.sequence) has the number of another one")
      told.all[place] = event.json
      if answer.isDurable == true { told.durable[place] = event.json } else { told.inMemory[place] = event.json }
    }
  }

  private func look(
    _ journal: EventJournal, _ when: String, _ wanted: [EventPlace: String], _ told: inout Told, _ verdict: inout Verdict
  ) {
    var found: [EventPlace: String] = [:]
    told.note(journal)
    var isReported = false
    for name in journal.earlierJournals + [journal.identity.description] {
      read(name, of: journal, into: &found, &verdict, isReported: &isReported)
    }
    if isReported { told.isReported = true }
    let lost = wanted.filter { found[$0.key] != $0.value }.keys
    verdict.expect(lost.isEmpty || told.isReported, "events \(Self.text(lost)) are lost \(when) and nothing says so")
    if told.isReported { verdict.reportedLosses += lost.count }
    let invented = found.filter { (told.all[$0.key] ?? told.attempted[$0.key]) != $0.value }.keys
    verdict.expect(told.isReported || invented.isEmpty, "events \(Self.text(invented)) never happened")
  }
}
