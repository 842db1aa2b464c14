import Glibc
import Instants
import SQLite

/// A journal's file, which is opened, replaced when it is damaged, and used again after its disk failed.
struct DurableFile {
  let path: String
  let retention: Retention
  /// What was wrong with the file when it was opened last; nil when nothing was.
  private(set) var note: String?

  init(_ path: String, _ retention: Retention) {
    (self.path, self.retention) = (path, retention)
  }

  /// Opens or makes the file. One that is damaged is moved aside, and what can be read of it is copied into another; so is one of another program or of a later
  /// version, of which nothing can.
  ///
  /// - Parameter identity: of a journal to begin; nil goes on with the one that was written last, or begins one.
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

  /// Moves the file aside, and puts in its place a copy of what can be read. No connection may be using it.
  mutating func replace(_ error: DatabaseError) throws(DatabaseError) {
    // A later version's rows would be those of two journals of the same name.
    var salvage = error.reason == .fromTheFuture && !hasOwnTables ? nil : try JournalSalvage(path)
    let isCopied = try salvage?.write() ?? false
    guard let name = UnreadableFile.moveAside(path) else { throw error }
    note = "\(path) could not be read and is \(name) now: \(error.message)"
    if isCopied, let salvage {
      finishReplacing()
      note = "\(note ?? ""); \(salvage.copied) of its events were copied"
    } else {
      unlink(JournalSalvage.copyPath(of: path))
    }
  }

  /// A copy is complete when the file that it replaces was moved aside.
  private func finishReplacing() {
    let copy = JournalSalvage.copyPath(of: path)
    if access(path, F_OK) != 0, errno == ENOENT, access(copy, F_OK) == 0 { rename(copy, path) }
  }

  /// Whether the file's tables are those of this version: then it is its version number that is damaged.
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
  /// Whether the disk takes as much as a few commits need, and keeps it.
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
