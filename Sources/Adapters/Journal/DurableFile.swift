import Glibc
import Instants
import SQLite

/// The file of a journal: opens it, replaces it if it is damaged, and reopens it after a failure of its disk.
struct DurableFile {
  let path: String
  let retention: Retention
  /// The problem with the file at the last opening; `nil` if there was none.
  private(set) var note: String?

  init(_ path: String, _ retention: Retention) {
    (self.path, self.retention) = (path, retention)
  }

  /// Opens or creates the file.
  ///
  /// Moves a damaged file aside and copies its readable rows into a new one. Also moves aside a file of another program or of a later
  /// version, without copying.
  ///
  /// - Parameter identity: the identity of a journal to begin; `nil` continues the last one, or begins one.
  mutating func open(identity: JournalIdentity?, at now: Instant) throws(DatabaseError) -> JournalStore {
    note = nil
    finishReplacing()
    do throws(DatabaseError) {
      return try JournalStore(path: path, retention, identity: identity, at: now)
    } catch {
      guard error.isUnreadable else { throw error }
      try replace(error)
      return try JournalStore(path: path, retention, identity: identity, at: now)
    }
  }

  /// Moves the file aside and replaces it with a copy of its readable rows. No connection may be using it.
  mutating func replace(_ error: DatabaseError) throws(DatabaseError) {
    // The rows of a later version would continue in two journals of the same name.
    var salvage = error.reason == .fromTheFuture && !hasOwnTables ? nil : try JournalSalvage(path)
    let isCopied = try salvage?.write() ?? false
    guard let name = UnreadableFile.moveAside(path) else { throw error }
    note = "\(path) could not be read and was moved to \(name): \(error.message)"
    if isCopied, let salvage {
      finishReplacing()
      note = "\(note ?? ""); \(salvage.copied) of its events were recovered"
    } else {
      unlink(JournalSalvage.copyPath(of: path))
    }
  }

  /// Renames a complete copy, whose original was already moved aside.
  private func finishReplacing() {
    let copy = JournalSalvage.copyPath(of: path)
    if access(path, F_OK) != 0, errno == ENOENT, access(copy, F_OK) == 0 { rename(copy, path) }
  }

  /// Whether the file has the tables of this version, so that only its version number is damaged.
  private var hasOwnTables: Bool {
    do throws(DatabaseError) {
      let own = try Database.inMemory()
      try Schema.journal.apply(to: own)
      return try tables(of: Database(path: path, .readOnly)) == tables(of: own)
    } catch {
      return false
    }
  }

  private func tables(of database: Database) throws(DatabaseError) -> [String?] {
    try database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all { $0.text(0) }
  }
}

// MARK: A disk that failed

extension DurableFile {
  /// Whether the disk can store as much as a few commits need.
  var isDiskWritable: Bool {
    let probe = path + ".probe"
    let descriptor = Glibc.open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer {
      close(descriptor)
      unlink(probe)
    }
    let octets = [UInt8](repeating: 0xFF, count: 1 << 18)
    return write(descriptor, octets, octets.count) == octets.count && fsync(descriptor) == 0
  }
}
