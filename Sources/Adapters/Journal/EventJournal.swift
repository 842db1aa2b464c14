import Beacons
import Events
import Glibc
import Instants
import Monitoring
import Regions
import SQLite

/// Stores events, each identified by the identity of the journal and a number.
///
/// The journal never fails. While its file fails, it keeps events in memory under another identity, drops the oldest if necessary, and is
/// not durable. When the file works again, it writes these events there under the same identity, and is durable again. It replaces a
/// damaged file by a copy of all readable rows.
public final class EventJournal: EventStore {
  /// The path of the file; `nil` for a journal that is intentionally kept in memory.
  public let path: String?
  public internal(set) var identity: JournalIdentity
  public var name: String { identity.description }
  public internal(set) var lastSequence: UInt64
  /// Whether events survive this process.
  public internal(set) var isDurable = false
  /// The problem with the file, now or when it was opened, and advice; `nil` if there is none.
  public internal(set) var note: String?
  /// The reason why other users can read or replace the file, and advice; `nil` if they cannot.
  public internal(set) var permissionWarning: String?
  /// The time of the next call of `retry`; `.never` while the file works.
  public internal(set) var nextRetry = Instant.never

  static let retryInterval = Span.seconds(60)
  static let mostMemory = 1 << 20

  let retention: Retention
  /// Creates the folder of the file if it is missing.
  private let makeFolder: () -> Void
  var file: DurableFile?
  /// The open file; `nil` while it failed, or if memory ran out.
  var store: JournalStore?
  /// A file that can be read but no longer be written.
  var failed: JournalStore?
  var damaged = DamagedEvents()
  /// Damage that `takeFindings` has not returned yet.
  var findings: [String] = []
  /// The latest instant that was passed to a method.
  var now: Instant

  /// Opens or creates the file.
  ///
  /// Moves aside a file that is damaged, of another program or of a later version, and begins a new one with the readable rows.
  ///
  /// - Parameter makeFolder: creates the folder of the file if it is missing; called before each attempt to open the file.
  public init(path: String?, _ retention: Retention, at now: Instant, makeFolder: @escaping () -> Void = {}) {
    self.path = path
    self.retention = retention
    self.makeFolder = makeFolder
    self.now = now
    file = path.map { DurableFile($0, retention) }
    (identity, lastSequence) = (JournalIdentity(), 0)
    keepInMemory()
    guard file != nil else { return }
    makeFolder()
    do throws(DatabaseError) {
      if let opened = try open(identity: nil) { use(opened) }
    } catch {
      fail(error)
    }
  }

  /// Stores events and the resulting states of regions, and returns the events with `journal` and `durable`.
  ///
  /// - Parameter events: each has a `sequence` that is greater than any before.
  public func commit(_ events: [Event], _ regions: [SavedRegion] = [], _ heartbeat: Heartbeat? = nil, at now: Instant) -> [Event] {
    self.now = now
    guard !events.isEmpty else { return [] }
    let stored = events.map { StoredEvent($0) }
    writing { (store) throws(DatabaseError) in try store.append(stored, regions, heartbeat, at: now) }
    if !isDurable { keep(stored) }
    lastSequence = events.last?.sequence ?? lastSequence
    return events.map { $0.stamped(identity.description, isDurable: isDurable) }
  }

  /// Saves the states of all regions, and removes others, if there is a file.
  public func save(_ regions: [SavedRegion], _ heartbeat: Heartbeat, at now: Instant) {
    self.now = now
    writing { (store) throws(DatabaseError) in try store.save(regions, heartbeat, at: now) }
  }

  /// Returns the last saved states and their time; `nil` without a file, or if it cannot be read.
  public func savedRegions() -> (regions: [SavedRegion], heartbeat: Heartbeat)? {
    guard isDurable else { return nil }
    do throws(DatabaseError) {
      return try reading { (store) throws(DatabaseError) in
        guard let heartbeat = try store.lastHeartbeat() else { return nil }
        return (try store.savedRegions(), heartbeat)
      } ?? nil
    } catch {
      findings.append("the states of regions cannot be read: \(error)")
      return nil
    }
  }

  /// Returns the events of a journal after `sequence` in order, at most `limit`.
  ///
  /// A damaged event represents events that cannot be read.
  ///
  /// - Returns: `nil` if the journal has no more events and another one is in use.
  /// - Throws: an error after which a retry may succeed.
  public func events(of journal: String, after sequence: UInt64, limit: Int) throws(DatabaseError) -> [Event]? {
    let read = { (store: JournalStore) throws(DatabaseError) in try store.events(of: journal, after: sequence, limit: limit) }
    if let events = try isDurable ? reading(read) : store.map(read), !events.isEmpty {
      return annotate(events, of: journal, isDurable: isDurable)
    }
    if let events = try failed.map(read), !events.isEmpty { return annotate(events, of: journal, isDurable: true) }
    return journal == identity.description ? [] : nil
  }

  /// The earlier journals that still have events, the oldest first.
  public var earlierJournals: [String] {
    let old = failed.map { $0.earlierJournals + [$0.identity.description] } ?? []
    return (old + (store?.earlierJournals ?? []).filter { !old.contains($0) }).filter { $0 != identity.description }
  }

  /// Reopens the file, and moves the events from memory to it.
  public func retry(at now: Instant) {
    self.now = now
    guard file != nil, !isDurable else { return }
    makeFolder()
    do throws(DatabaseError) {
      guard let opened = try reopen() else { return }
      // From here on its events can be read, even if writing fails.
      failed = opened
      while let events = try store?.rows(of: identity.description, after: opened.lastSequence, limit: 256), !events.isEmpty {
        try opened.append(events, at: now)
      }
      use(opened)
    } catch {
      fail(error)
    }
  }
}

extension EventJournal {
  /// The octets of the database and its log; nil if there is no file.
  public var fileSize: UInt64? {
    guard let path else { return nil }
    var size: UInt64?
    for suffix in ["", "-wal"] {
      var status = stat()
      if stat(path + suffix, &status) == 0 { size = (size ?? 0) + UInt64(clamping: status.st_size) }
    }
    return size
  }
}

// MARK: The end

extension EventJournal {
  /// Closes the file properly. The journal stores nothing afterwards.
  public func close() {
    (store, failed, file) = (nil, nil, nil)
    (isDurable, nextRetry) = (false, .never)
  }

  /// Deletes the journal and its file. The journal stores nothing afterwards.
  public func erase() {
    (store, failed, file) = (nil, nil, nil)
    (isDurable, nextRetry) = (false, .never)
    guard let path else { return }
    for suffix in ["", "-wal", "-shm", "-journal", "-commits"] { unlink(path + suffix) }
  }
}

// MARK: Damage

extension EventJournal {
  /// The number of events that are known to be damaged or lost.
  public var damagedEventCount: UInt64 { damaged.count }

  /// Returns the damage that was found since the last call.
  public func takeFindings() -> [String] {
    defer { findings = [] }
    return findings
  }

  func annotate(_ events: [Event], of journal: String, isDurable: Bool) -> [Event] {
    for event in events {
      guard let sequences = event.damagedSequences, damaged.add(sequences, of: journal) else { continue }
      let cause = event.reason.cause?.rawValue ?? ""
      findings.append("\(path ?? "memory"): \(event.damagedEvents ?? "") of journal \(journal): \(cause)")
    }
    return events.map { $0.stamped(journal, isDurable: isDurable) }
  }
}

extension Event {
  /// Returns the event with its journal, as it is sent.
  fileprivate func stamped(_ journal: String, isDurable: Bool) -> Event {
    var event = self
    (event.journal, event.isDurable) = (journal, isDurable)
    return event
  }
}
