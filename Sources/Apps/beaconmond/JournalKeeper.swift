import EventLoop
import Events
import Instants
import Journal
import Logging
import MonitorService
import ProgramSupport
import Regions
import SQLite

/// The journal on the loop: retries a file that fails, and reports its state.
final class JournalKeeper {
  /// Called when another journal is in use, or when the journal becomes durable or stops being so.
  var onChange: () -> Void = {}

  private let journal: EventJournal
  /// Whether the source's clock is this machine's.
  private let isLive: Bool
  private let loop: Loop
  private let log: Logger
  private var timer: Timer?
  private var told: Health

  private struct Health: Equatable {
    var name: String
    var isDurable: Bool
    var note: String?
    var damagedEventCount: UInt64

    init(_ journal: EventJournal) {
      name = journal.identity.description
      isDurable = journal.isDurable
      note = journal.note
      damagedEventCount = journal.damagedEventCount
    }
  }

  init(_ loop: Loop, _ file: JournalFile, log: Logger) {
    self.loop = loop
    self.log = log
    isLive = file.isLive
    journal = EventJournal(path: file.path, file.retention, at: loop.now)
    told = Health(journal)
    if let note = told.note { log.warning("\(note)") }
    if let warning = journal.permissionWarning { log.warning("\(warning)") }
    tellFindings()
    timer = loop.timer { [unowned self] in retry() }
    timer?.arm(at: journal.nextRetry)
  }

  /// Stores the events and the resulting states of regions, and returns the events as they may be sent.
  ///
  /// - Parameter time: the source's, since the Unix epoch.
  func commit(_ events: [Event], _ regions: [SavedRegion], at time: Instant) -> [Event] {
    defer { follow() }
    return journal.commit(events, regions, life(at: time), at: loop.now)
  }

  /// Stores the states of all existing regions.
  func save(_ regions: [SavedRegion], at time: Instant) {
    journal.save(regions, life(at: time), at: loop.now)
    follow()
  }

  /// Returns the saved states and the length of the outage until `time`; the outage is nil if its length is unknown.
  func savedRegions(at time: Instant) -> (regions: [SavedRegion], outage: Span?)? {
    defer { follow() }
    return journal.savedRegions().map { ($0.regions, $0.life.outage(until: life(at: time))) }
  }

  /// Retries a file that fails now, without the usual delay.
  func retry() {
    journal.retry(at: loop.now)
    follow()
  }

  /// Closes the file; the journal is not used afterwards.
  func close() {
    timer = nil
    journal.close()
  }

  /// Erases the journal; it is not used afterwards.
  func erase() {
    timer = nil
    journal.erase()
  }

  private func life(at time: Instant) -> LifeSign {
    guard isLive else { return LifeSign(time: time) }
    return LifeSign(time: WallClock.time(of: loop.now, on: loop), boot: BootClock.boot, uptime: BootClock.uptime)
  }

  /// Logs each damage once.
  private func tellFindings() {
    for finding in journal.takeFindings() { log.error("\(finding)") }
  }

  private func follow() {
    timer?.arm(at: journal.nextRetry)
    tellFindings()
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

  var damagedEventCount: UInt64 { journal.damagedEventCount }

  func events(of journal: String, after sequence: UInt64, limit: Int) throws(JournalFailure) -> [Event]? {
    defer { follow() }
    do throws(DatabaseError) {
      return try self.journal.events(of: journal, after: sequence, limit: limit)
    } catch {
      throw JournalFailure("\(error)")
    }
  }
}
