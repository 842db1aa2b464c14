import Events
import Glibc
import Instants
import Regions
import SQLite

/// Where events are kept, and what tells one from all others: the journal's identity and a number.
///
/// It never fails. While its file does, events are kept in memory under another identity, the oldest making room, and it is not durable. When the
/// file is back, they are written there under the same identity, and it is durable again. A file that is damaged is replaced by a copy of all that can be read.
public final class EventJournal {
  /// Nil: events are kept in memory only, which is then as it should be.
  public let path: String?
  public private(set) var identity: JournalIdentity
  public private(set) var lastSequence: UInt64
  /// Whether events survive this process.
  public private(set) var isDurable = false
  /// What is wrong with the file, or was when it was opened, and what to do; nil while nothing is.
  public private(set) var note: String?
  /// Why other users may read or replace the file, and what to do; nil when they may not.
  public private(set) var permissionWarning: String?
  /// When `retry` is worth a try; `.never` while nothing is wrong.
  public private(set) var nextRetry = Instant.never

  private static let retryInterval = Span.seconds(60)
  private static let mostMemory = 1 << 20

  private let retention: Retention
  private var file: DurableFile?
  /// Nil when there is no memory for it either.
  private var store: JournalStore?
  /// Cannot be written any more, but read.
  private var failed: JournalStore?
  private var damaged = DamagedEvents()
  /// What was found damaged and nobody was told of.
  private var findings: [String] = []
  /// The latest instant that was told.
  private var now: Instant

  /// Opens or makes the file. One that is damaged, of another program or of a later version is moved aside, and another one begun with what can be read of it.
  public init(path: String?, _ retention: Retention, at now: Instant) {
    self.path = path
    self.retention = retention
    self.now = now
    file = path.map { DurableFile($0, retention) }
    (identity, lastSequence) = (JournalIdentity(), 0)
    keepInMemory()
    guard file != nil else { return }
    do throws(DatabaseError) {
      if let opened = try open(identity: nil) { use(opened) }
    } catch {
      fail(error)
    }
  }

  /// Keeps the events and what they made of their regions, and returns the events as they may be sent: with `journal` and `durable`. Each has a `sequence`
  /// greater than any before.
  public func commit(_ events: [Event], _ regions: [SavedRegion] = [], _ life: LifeSign? = nil, at now: Instant) -> [Event] {
    self.now = now
    guard !events.isEmpty else { return [] }
    let stored = events.map { StoredEvent($0) }
    writing { (store) throws(DatabaseError) in try store.append(stored, regions, life, at: now) }
    if !isDurable { keep(stored) }
    lastSequence = events.last?.sequence ?? lastSequence
    return events.map { $0.stamped(identity.description, isDurable: isDurable) }
  }

  /// Keeps the states of all regions that there are, if there is a file for them.
  public func save(_ regions: [SavedRegion], _ life: LifeSign, at now: Instant) {
    self.now = now
    writing { (store) throws(DatabaseError) in try store.save(regions, life, at: now) }
  }

  /// What was saved last, and when; none when there is no file or it cannot be read.
  public func savedRegions() -> (regions: [SavedRegion], life: LifeSign)? {
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

  /// The events of that journal after `sequence`, at most `limit`, in order; nil when it has no more and another one is in use. In place of events that cannot
  /// be told any more stands one that says so. Throws when it can be read perhaps another time.
  public func events(of journal: String, after sequence: UInt64, limit: Int) throws(DatabaseError) -> [Event]? {
    let read = { (store: JournalStore) throws(DatabaseError) in try store.events(of: journal, after: sequence, limit: limit) }
    if let events = try isDurable ? reading(read) : store.map(read), !events.isEmpty {
      return told(events, of: journal, isDurable: isDurable)
    }
    if let events = try failed.map(read), !events.isEmpty { return told(events, of: journal, isDurable: true) }
    return journal == identity.description ? [] : nil
  }

  /// The journals before this one of which something is left, oldest first.
  public var earlierJournals: [String] {
    let old = failed.map { $0.earlierJournals + [$0.identity.description] } ?? []
    return (old + (store?.earlierJournals ?? []).filter { !old.contains($0) }).filter { $0 != identity.description }
  }

  /// Tries the file again, and takes over there what was kept in memory meanwhile.
  public func retry(at now: Instant) {
    self.now = now
    guard file != nil, !isDurable else { return }
    do throws(DatabaseError) {
      guard let opened = try reopen() else { return }
      // What it holds can be read from here on, whatever comes of it.
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
  /// Closes the file, so that the next start finds it as it should be. It keeps nothing more.
  public func close() {
    (store, failed, file) = (nil, nil, nil)
    (isDurable, nextRetry) = (false, .never)
  }

  /// Nothing of it is left, on the disk neither. It keeps nothing more.
  public func erase() {
    (store, failed, file) = (nil, nil, nil)
    (isDurable, nextRetry) = (false, .never)
    guard let path else { return }
    for suffix in ["", "-wal", "-shm", "-journal", "-commits"] { unlink(path + suffix) }
  }
}

// MARK: Damage

extension EventJournal {
  /// How many events of its journals cannot be told any more, as far as that was noticed.
  public var damagedEventCount: UInt64 { damaged.count }

  /// What was found damaged since this was asked last, each once.
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
  /// Nil without a path.
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

  /// The file belongs to one connection at a time. The one that failed, which still reads, is not given up while the disk fails: another could not be
  /// opened there, and whoever asks for the events of that file would be told that there are no more.
  private func reopen() throws(DatabaseError) -> JournalStore? {
    do throws(DatabaseError) {
      try failed?.announce(identity)
    } catch {
      // A connection may go on failing when its disk does not any more.
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

  /// Writes to the file, and once more to its copy where it is damaged. The file fails after that.
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

  /// Reads the file, and once more its copy where it is damaged.
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

  /// The journal goes on in a copy of what can be read.
  private func replaceFile(_ error: DatabaseError) throws(DatabaseError) {
    store = nil
    try file?.replace(error)
    let note = file?.note
    if let opened = try open(identity: identity) { use(opened) }
    self.note = note
  }

  /// The file fails: events go to memory under another identity, because the next of the old one cannot be promised.
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

  /// Without a file, or after it has failed.
  private func keep(_ events: [StoredEvent]) {
    for attempt in 1...3 {
      do throws(DatabaseError) {
        try store?.append(events, at: now)
        return
      } catch {
        guard attempt == 2 else { continue }
        // What it held is lost with it, and so is its name.
        identity = JournalIdentity()
        keepInMemory()
      }
    }
    store = nil
  }
}

extension Event {
  /// The event as it is sent, with the journal that it is in.
  fileprivate func stamped(_ journal: String, isDurable: Bool) -> Event {
    var event = self
    (event.journal, event.isDurable) = (journal, isDurable)
    return event
  }
}
