import Glibc
import Instants
import Records
import Regions
import SQLite

/// Where events are kept, and what tells one from all others: the journal's identity and a number.
///
/// It never fails. While its file does, events are kept in memory under another identity, the oldest making room, and it is not durable. When the
/// file is back, they are written there under the same identity, and it is durable again.
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
  /// Nil when there is no memory for it either.
  private var store: JournalStore?
  /// Cannot be written any more, but read.
  private var failed: JournalStore?

  /// Opens or makes the file. One that is damaged, of another program or of a later version is moved aside, and another one begun.
  public init(path: String?, _ retention: Retention, at now: Instant) {
    self.path = path
    self.retention = retention
    (identity, lastSequence) = (JournalIdentity(), 0)
    keepInMemory()
    guard let path else { return }
    do throws(DatabaseError) {
      use(try open(path, identity: nil))
    } catch {
      fail(error, at: now)
    }
  }

  /// Keeps the events and what they made of their regions, and returns the events as they may be sent: with `journal` and `durable`. Each has a `sequence`
  /// greater than any before.
  public func commit(_ events: [Record], _ regions: [SavedRegion] = [], _ life: LifeSign? = nil, at now: Instant) -> [Record] {
    guard !events.isEmpty else { return [] }
    do throws(DatabaseError) {
      try store?.append(events, regions, life, at: now)
    } catch {
      fail(error, at: now)
      keep(events, at: now)
    }
    lastSequence = events.last?.sequence ?? lastSequence
    return events.map { $0.stamped(identity.description, isDurable: isDurable) }
  }

  /// After the file has failed.
  private func keep(_ events: [Record], at now: Instant) {
    do throws(DatabaseError) {
      try store?.append(events, at: now)
    } catch {
      store = nil
    }
  }

  /// Keeps the states of all regions that there are, if there is a file for them.
  public func save(_ regions: [SavedRegion], _ life: LifeSign, at now: Instant) {
    guard isDurable else { return }
    do throws(DatabaseError) {
      try store?.save(regions, life)
    } catch {
      fail(error, at: now)
    }
  }

  /// What was saved last, and when; none when there is no file or it cannot be read.
  public func savedRegions() -> (regions: [SavedRegion], life: LifeSign)? {
    guard isDurable, let store else { return nil }
    do throws(DatabaseError) {
      guard let life = try store.lastLife() else { return nil }
      return (try store.savedRegions(), life)
    } catch {
      return nil
    }
  }

  /// The events of that journal after `sequence`, at most `limit`, in order; nil when it has no more and another one is in use.
  public func events(of journal: String, after sequence: UInt64, limit: Int) -> [Record]? {
    for place in [store, failed].compactMap(\.self) {
      do throws(DatabaseError) {
        let events = try place.events(of: journal, after: sequence, limit: limit)
        let isKept = isDurable || place === failed
        if !events.isEmpty { return events.map { $0.stamped(journal, isDurable: isKept) } }
      } catch {
        // What cannot be read is lost; whoever asks goes on with what there is.
      }
    }
    return journal == identity.description ? [] : nil
  }

  /// The journals before this one of which something is left, oldest first.
  public var earlierJournals: [String] {
    do throws(DatabaseError) {
      let old = try failed.map { (store) throws(DatabaseError) in try store.earlierJournals() + [store.identity.description] }
      return try (old ?? []) + (store?.earlierJournals() ?? [])
    } catch {
      return []
    }
  }

  /// Tries the file again, and takes over there what was kept in memory meanwhile.
  public func retry(at now: Instant) {
    guard let path, !isDurable else { return }
    do throws(DatabaseError) {
      let file = try reopen(path)
      while let events = try store?.events(of: identity.description, after: file.lastSequence, limit: 256), !events.isEmpty {
        try file.append(events, at: now)
      }
      use(file)
    } catch {
      fail(error, at: now)
    }
  }
}

// MARK: The end

extension EventJournal {
  /// Nothing of it is left, on the disk neither. It keeps nothing more.
  public func erase() {
    (store, failed) = (nil, nil)
    (isDurable, nextRetry) = (false, .never)
    guard let path else { return }
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }
}

// MARK: The file, and memory in its place

extension EventJournal {
  private func open(_ path: String, identity: JournalIdentity?) throws(DatabaseError) -> JournalStore {
    note = nil
    do throws(DatabaseError) {
      return try JournalStore(path: path, retention, identity: identity)
    } catch {
      guard error.isUnreadable, let name = UnreadableFile.moveAside(path) else { throw error }
      let store = try JournalStore(path: path, retention, identity: identity)
      note = "\(path) could not be read and is \(name) now: \(error.message)"
      return store
    }
  }

  /// The file belongs to one connection at a time. The one that failed, which still reads, is not given up while the disk is full: another could not be
  /// opened there, and whoever asks for the events of that file would be told that there are no more.
  private func reopen(_ path: String) throws(DatabaseError) -> JournalStore {
    do throws(DatabaseError) { try failed?.announce(identity) } catch { if error.reason == .full { throw error } }
    failed = nil
    return try open(path, identity: identity)
  }

  private func use(_ file: JournalStore) {
    store = file
    (identity, isDurable, nextRetry, permissionWarning) = (file.identity, true, .never, file.permissionWarning)
    lastSequence = max(lastSequence, file.lastSequence)
  }

  /// The file fails: events go to memory under another identity, because the next of the old one cannot be promised.
  private func fail(_ error: DatabaseError, at now: Instant) {
    note = "\(error); events are kept in memory only"
    nextRetry = now + Self.retryInterval
    guard isDurable || store == nil else { return }
    if isDurable { failed = store }
    (identity, isDurable) = (JournalIdentity(), false)
    keepInMemory()
  }

  private func keepInMemory() {
    do throws(DatabaseError) {
      store = try JournalStore(.inMemory(), Retention(age: retention.age, size: min(Self.mostMemory, retention.size)), identity: identity)
    } catch {
      store = nil
    }
  }
}

extension Record {
  /// As it may be sent: nobody can take it for the event of another journal.
  fileprivate func stamped(_ journal: String, isDurable: Bool) -> Record {
    var record = self
    record.append("journal", .text(journal))
    record.append("durable", .flag(isDurable))
    return record
  }
}
