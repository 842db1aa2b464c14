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
/// not durable. When the file works again, it writes these events there under the same identity, and is durable again. It replaces a damaged
/// file by a copy of all readable rows.
public final class EventJournal: EventStore {
  /// The path of the file; `nil` for a journal that is intentionally kept in memory.
  public let path: String?
  public private(set) var identity: JournalIdentity
  public var name: String { identity.description }
  public private(set) var lastSequence: UInt64
  /// Whether events survive this process.
  public private(set) var isDurable = false
  /// The problem with the file, now or when it was opened, and advice; `nil` if there is none.
  public private(set) var note: String?
  /// The reason why other users can read or replace the file, and advice; `nil` if they cannot.
  public private(set) var permissionWarning: String?
  /// The time of the next call of `retry`; `.never` while the file works.
  public private(set) var nextRetry = Instant.never

  private static let retryInterval = Span.seconds(60)
  private static let mostMemory = 1 << 20

  private let retention: Retention
  /// Makes the folder of the file if it is missing.
  private let makeFolder: () -> Void
  private var file: DurableFile?
  /// The open file; `nil` while it failed, or if memory ran out.
  private var store: JournalStore?
  /// A file that can be read but no longer be written.
  private var failed: JournalStore?
  private var damaged = DamagedEvents()
  /// Damage that `takeFindings` has not returned yet.
  private var findings: [String] = []
  /// The latest instant that was passed to a method.
  private var now: Instant

  /// Opens or creates the file.
  ///
  /// Moves aside a file that is damaged, of another program or of a later version, and begins a new one with the readable rows.
  ///
  /// - Parameter makeFolder: makes the folder of the file if it is missing; called before each attempt to open the file.
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
  public func commit(_ events: [Event], _ regions: [SavedRegion] = [], _ life: Heartbeat? = nil, at now: Instant) -> [Event] {
    self.now = now
    guard !events.isEmpty else { return [] }
    let stored = events.map { StoredEvent($0) }
    writing { (store) throws(DatabaseError) in try store.append(stored, regions, life, at: now) }
    if !isDurable { keep(stored) }
    lastSequence = events.last?.sequence ?? lastSequence
    return events.map { $0.stamped(identity.description, isDurable: isDurable) }
  }

  /// Saves the states of all regions, and removes others, if there is a file.
  public func save(_ regions: [SavedRegion], _ life: Heartbeat, at now: Instant) {
    self.now = now
    writing { (store) throws(DatabaseError) in try store.save(regions, life, at: now) }
  }

  /// Returns the last saved states and their time; `nil` without a file, or if it cannot be read.
  public func savedRegions() -> (regions: [SavedRegion], life: Heartbeat)? {
    guard isDurable else { return nil }
    do throws(DatabaseError) {
      return try reading { (store) throws(DatabaseError) in
        guard let life = try store.lastLife() else { return nil }
        return (try store.savedRegions(), life)
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
      return told(events, of: journal, isDurable: isDurable)
    }
    if let events = try failed.map(read), !events.isEmpty { return told(events, of: journal, isDurable: true) }
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

  private func told(_ events: [Event], of journal: String, isDurable: Bool) -> [Event] {
    for event in events {
      guard let sequences = event.damagedSequences, damaged.add(sequences, of: journal) else { continue }
      let cause = event.reason.cause?.rawValue ?? ""
      findings.append("\(path ?? "memory"): \(event.damagedEvents ?? "") of journal \(journal): \(cause)")
    }
    return events.map { $0.stamped(journal, isDurable: isDurable) }
  }
}

// MARK: The file, and memory in its place

extension EventJournal {
  /// Opens the file; returns `nil` without a path.
  private func open(identity: JournalIdentity?) throws(DatabaseError) -> JournalStore? {
    let opened: JournalStore?
    do throws(DatabaseError) {
      opened = try file?.open(identity: identity, at: now)
    } catch {
      note = file?.note
      throw error
    }
    note = file?.note
    guard let opened else { return nil }
    findings += opened.findings.map { "\(path ?? ""): \($0)" }
    damaged.formUnion(opened.damaged)
    return opened
  }

  /// Opens the file again after a failure, once its disk works.
  ///
  /// Only one connection can use the file. The failed connection can still read, so it stays open while the disk fails: a new one could not
  /// be opened, and clients would be told that the journal has no more events.
  private func reopen() throws(DatabaseError) -> JournalStore? {
    do throws(DatabaseError) {
      try failed?.announce(identity)
    } catch {
      // A connection may continue to fail although its disk has recovered.
      guard error.isUnreadable || file?.isDiskWritable == true && error.reason != .full else { throw error }
    }
    failed = nil
    return try open(identity: identity)
  }

  private func use(_ file: JournalStore) {
    (store, failed) = (file, nil)
    (identity, isDurable, nextRetry, permissionWarning) = (file.identity, true, .never, file.permissionWarning)
    lastSequence = max(lastSequence, file.lastSequence)
  }

  /// Writes to the file. If it is damaged, writes to its copy, and if that fails too, marks the file as failed.
  private func writing(_ body: (JournalStore) throws(DatabaseError) -> Void) {
    guard isDurable, let store else { return }
    do throws(DatabaseError) {
      try body(store)
    } catch {
      do throws(DatabaseError) {
        guard error.isUnreadable else { throw error }
        try replaceFile(error)
        if let store = self.store { try body(store) }
      } catch {
        fail(error)
      }
    }
  }

  /// Reads the file, or its copy if it is damaged.
  private func reading<Value>(_ body: (JournalStore) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value? {
    guard let store else { return nil }
    do throws(DatabaseError) {
      return try body(store)
    } catch {
      guard error.isUnreadable else { throw error }
      do throws(DatabaseError) {
        try replaceFile(error)
        return try self.store.map(body)
      } catch {
        fail(error)
        throw error
      }
    }
  }

  /// Continues the journal in a copy of the readable rows.
  private func replaceFile(_ error: DatabaseError) throws(DatabaseError) {
    store = nil
    try file?.replace(error)
    let note = file?.note
    if let opened = try open(identity: identity) { use(opened) }
    self.note = note
  }

  /// Continues in memory under another identity, because the next number of the old one is not certain.
  private func fail(_ error: DatabaseError) {
    note = "\(error); events are kept in memory only"
    nextRetry = now + Self.retryInterval
    guard isDurable || store == nil else { return }
    if isDurable { failed = store }
    (identity, isDurable) = (JournalIdentity(), false)
    keepInMemory()
  }

  private func keepInMemory() {
    do throws(DatabaseError) {
      let memory = Retention(age: retention.age, size: min(Self.mostMemory, retention.size))
      store = try JournalStore(.inMemory(), memory, identity: identity, at: now)
    } catch {
      store = nil
    }
  }

  /// Stores events in memory, without a file or after it has failed.
  private func keep(_ events: [StoredEvent]) {
    for attempt in 1...3 {
      do throws(DatabaseError) {
        try store?.append(events, at: now)
        return
      } catch {
        guard attempt == 2 else { continue }
        // Its events are lost, so its identity must not be used again.
        identity = JournalIdentity()
        keepInMemory()
      }
    }
    store = nil
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
