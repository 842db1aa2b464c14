import Beacons
import Events
import Glibc
import Instants
import Monitoring
import Regions
import SQLite

// MARK: The file, and memory in its place

extension EventJournal {
  /// Opens the file; returns `nil` without a path.
  func open(identity: JournalIdentity?) throws(DatabaseError) -> JournalStore? {
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
  /// be opened, and clients would see a journal without further events.
  func reopen() throws(DatabaseError) -> JournalStore? {
    do throws(DatabaseError) {
      try failed?.announce(identity)
    } catch {
      // A connection may continue to fail although its disk has recovered.
      guard error.isUnreadable || file?.isDiskWritable == true && error.reason != .full else { throw error }
    }
    failed = nil
    return try open(identity: identity)
  }

  func use(_ file: JournalStore) {
    (store, failed) = (file, nil)
    (identity, isDurable, nextRetry, permissionWarning) = (file.identity, true, .never, file.permissionWarning)
    lastSequence = max(lastSequence, file.lastSequence)
  }

  /// Writes to the file. If it is damaged, writes to its copy, and if that fails too, marks the file as failed.
  func writing(_ body: (JournalStore) throws(DatabaseError) -> Void) {
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
  func reading<Value>(_ body: (JournalStore) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value? {
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
  func fail(_ error: DatabaseError) {
    note = "\(error); events are kept in memory only"
    nextRetry = now + Self.retryInterval
    guard isDurable || store == nil else { return }
    if isDurable { failed = store }
    (identity, isDurable) = (JournalIdentity(), false)
    keepInMemory()
  }

  func keepInMemory() {
    do throws(DatabaseError) {
      let memory = Retention(age: retention.age, size: min(Self.mostMemory, retention.size))
      store = try JournalStore(.inMemory(), memory, identity: identity, at: now)
    } catch {
      store = nil
    }
  }

  /// Stores events in memory, without a file or after it has failed.
  func keep(_ events: [StoredEvent]) {
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
