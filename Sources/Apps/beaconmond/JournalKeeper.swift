import EventLoop
import Instants
import Journal
import Logging
import MonitorBus
import Records

/// The journal on the loop: tries a file that fails again, and says what becomes of it.
final class JournalKeeper {
  /// Another journal is in use, or it is durable now or not any more.
  var onChange: () -> Void = {}

  private let journal: EventJournal
  private let loop: Loop
  private let log: Logger
  private var timer: Timer?
  private var told: Health

  private struct Health: Equatable {
    var name: String
    var isDurable: Bool
    var note: String?

    init(_ journal: EventJournal) {
      name = journal.identity.description
      isDurable = journal.isDurable
      note = journal.note
    }
  }

  init(_ loop: Loop, _ file: JournalFile, log: Logger) {
    self.loop = loop
    self.log = log
    journal = EventJournal(path: file.path, file.retention, at: loop.now)
    told = Health(journal)
    if let note = told.note { log.warning("\(note)") }
    timer = loop.timer { [unowned self] in
      journal.retry(at: loop.now)
      follow()
    }
    timer?.arm(at: journal.nextRetry)
  }

  /// Keeps the events, and returns them as they may be sent.
  func commit(_ events: [Record]) -> [Record] {
    defer { follow() }
    return journal.commit(events, at: loop.now)
  }

  private func follow() {
    timer?.arm(at: journal.nextRetry)
    let health = Health(journal)
    guard health != told else { return }
    if health.isDurable && !told.isDurable { log.info("the journal is written again") }
    if let note = health.note, note != told.note { log.warning("\(note)") }
    told = health
    onChange()
  }
}

extension JournalKeeper: MonitorJournal {
  var name: String { journal.identity.description }
  var earlierNames: [String] { journal.earlierJournals }
  var lastSequence: UInt64 { journal.lastSequence }
  var isDurable: Bool { journal.isDurable }
  var note: String? { journal.note }

  func events(of journal: String, after sequence: UInt64, limit: Int) -> [Record]? {
    self.journal.events(of: journal, after: sequence, limit: limit)
  }
}
