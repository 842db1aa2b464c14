import Events
import Instants
import Logging
import Regions
import Scheduling

/// A journal over time: retries a file that fails, and reports its health.
public final class JournalService {
  /// Runs when another journal is in use, or when the journal becomes durable or stops being so.
  public var onChange: () -> Void = {}
  /// Runs when events were stored.
  public var onCommit: () -> Void = {}

  private let store: any EventStore
  private let scheduler: any Scheduler
  /// Returns the heartbeat for a time of the source's clock, since the Unix epoch.
  private let heartbeat: (Instant) -> Heartbeat
  private let log: Logger
  private var timer: (any SchedulerTimer)?
  private var reported: Health
  /// The number of times that the file of the journal began to fail.
  public private(set) var failureCount = 0

  private struct Health: Equatable {
    var name: String
    var isDurable: Bool
    var note: String?
    var damagedEventCount: UInt64

    init(_ store: any EventStore) {
      name = store.name
      isDurable = store.isDurable
      note = store.note
      damagedEventCount = store.damagedEventCount
    }
  }

  /// - Parameter heartbeat: returns the heartbeat for a time of the source's clock, since the Unix epoch.
  public init(_ scheduler: any Scheduler, _ store: any EventStore, heartbeat: @escaping (Instant) -> Heartbeat, log: Logger) {
    self.scheduler = scheduler
    self.store = store
    self.heartbeat = heartbeat
    self.log = log
    reported = Health(store)
    if let note = reported.note { log.warning("\(note)") }
    if let warning = store.permissionWarning { log.warning("\(warning)") }
    reportFindings()
    timer = scheduler.timer { [unowned self] in retry() }
    timer?.arm(at: store.nextRetry)
  }

  /// Stores the events and the resulting states of regions, and returns the events as they may be sent.
  ///
  /// - Parameter time: the source's, since the Unix epoch.
  func commit(_ events: [Event], _ regions: [SavedRegion], at time: Instant) -> [Event] {
    defer {
      follow()
      if !events.isEmpty { onCommit() }
    }
    return store.commit(events, regions, heartbeat(time), at: scheduler.now)
  }

  /// Stores the states of all existing regions.
  func save(_ regions: [SavedRegion], at time: Instant) {
    store.save(regions, heartbeat(time), at: scheduler.now)
    follow()
  }

  /// Returns the saved states and the length of the outage until `time`; the outage is nil if its length is unknown.
  func savedRegions(at time: Instant) -> (regions: [SavedRegion], outage: Span?)? {
    defer { follow() }
    return store.savedRegions().map { ($0.regions, $0.heartbeat.outage(until: heartbeat(time))) }
  }

  /// Retries a file that fails now, without the usual delay.
  public func retry() {
    store.retry(at: scheduler.now)
    follow()
  }

  /// Closes the file; the journal is not used afterwards.
  func close() {
    timer = nil
    store.close()
  }

  /// Erases the journal; it is not used afterwards.
  func erase() {
    timer = nil
    store.erase()
  }

  /// Logs each damage once.
  private func reportFindings() {
    for finding in store.takeFindings() { log.error("\(finding)") }
  }

  private func follow() {
    timer?.arm(at: store.nextRetry)
    reportFindings()
    let health = Health(store)
    guard health != reported else { return }
    if reported.isDurable && !health.isDurable { failureCount += 1 }
    if health.isDurable && !reported.isDurable { log.info("the journal can be written again") }
    if let note = health.note, note != reported.note { log.warning("\(note)") }
    reported = health
    onChange()
  }
}

// MARK: The journal for clients

extension JournalService {
  /// The identity of the journal in use.
  public var name: String { store.name }
  /// The earlier journals that still have events, oldest first.
  public var earlierNames: [String] { store.earlierJournals }
  /// The sequence of the last event; zero before the first.
  public var lastSequence: UInt64 { store.lastSequence }
  /// True if events survive the end of the daemon.
  public var isDurable: Bool { store.isDurable }
  /// Whether events are in memory until the file can be opened or written. Until then, earlier events may be unreadable.
  public var awaitsFile: Bool { !store.isDurable && store.nextRetry != .never }
  /// A problem with the journal and its remedy; nil if there is none.
  public var note: String? { store.note }
  /// The number of events, of this journal and the earlier ones, that are known to be damaged or lost.
  public var damagedEventCount: UInt64 { store.damagedEventCount }
  /// The octets of the files; nil if there is no file.
  public var fileSize: UInt64? { store.fileSize }
  /// The time of the oldest event of the journal in use; nil if there is none that can be read. Reads the file.
  public var oldestEventTime: Instant? {
    do throws(JournalFailure) { return try events(of: name, after: 0, limit: 1)?.first?.time } catch { return nil }
  }

  /// Returns the events of a journal after `sequence`, at most `limit`, in order.
  ///
  /// Returns nil if the journal has no more events and another one is in use. Damaged events are replaced by one event of the kind
  /// `damaged`.
  public func events(of journal: String, after sequence: UInt64, limit: Int) throws(JournalFailure) -> [Event]? {
    defer { follow() }
    do {
      return try store.events(of: journal, after: sequence, limit: limit)
    } catch {
      throw JournalFailure("\(error)")
    }
  }
}

/// A failure to read events, which may be temporary.
public struct JournalFailure: Error, Hashable, Sendable {
  public let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
