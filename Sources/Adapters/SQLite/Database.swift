internal import CSQLite
import Glibc

/// One connection to one SQLite database, for the one thread that made it.
///
/// Statements are prepared once and kept; the connection is closed when it and they are released. Files are taken as they come, from whoever
/// wrote them: no function that a schema names can do harm, and no damage is worse than an error.
public final class Database {
  /// Where it is, for errors.
  public let path: String
  /// Why other users may read or replace the file, and what to do; nil when they may not.
  public let permissionWarning: String?
  let handle: OpaquePointer
  /// Whether commits go through a rollback journal.
  private var hasRollbackJournal = false
  private var failure: DatabaseError?
  /// Nil unless `RowChecks.countCommits` began to count.
  var commitCount: CommitCount?

  public enum Access: Sendable {
    /// Makes the file where there is none, for its owner alone (`PrivateFile`); its folder has to be there.
    case readWrite
    /// As `readWrite`, and from the first reading on nobody else may even read it. A write-ahead log then needs no shared memory beside it.
    case exclusive
    case readOnly
  }

  /// Whether there is a file at `path` without any content, which to SQLite is a new database.
  public static func isEmpty(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG && found.st_size == 0
  }

  public convenience init(path: String, _ access: Access = .readWrite) throws(DatabaseError) {
    let warning = access == .readOnly || path.isEmpty ? nil : PrivateFile.prepare(path)
    try self.init(name: path, access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, warning: warning)
    // SQLite falls back to reading where it may not write.
    if access != .readOnly, sqlite3_db_readonly(handle, "main") == 1 {
      throw DatabaseError(.readOnly, path: path, message: "the database cannot be written")
    }
    if access == .exclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
  }

  /// One that lives in memory and ends with the connection.
  public static func inMemory() throws(DatabaseError) -> Database {
    try Database(name: ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
  }

  private init(name: String, _ flags: Int32, warning: String? = nil) throws(DatabaseError) {
    (path, permissionWarning) = (name, warning)
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else { throw DatabaseError(.disk, path: name, message: "out of memory") }
    handle = opened
    try check(code)
    // Against files that somebody has tampered with: https://sqlite.org/security.html, "Untrusted SQLite Database Files".
    sqlite_set_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    sqlite_set_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    sqlite_set_flag(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    sqlite_set_flag(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    try check(RowFunctions.register(with: handle))
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Runs statements that take no values and whose rows nobody wants.
  public func execute(_ sql: String) throws(DatabaseError) {
    try requireUsable()
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Prepares one statement to be run many times.
  public func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    try Statement(self, sql)
  }

  /// Makes all that `body` writes one commit: everything of it is there afterwards, or, when `body` or the commit throws, nothing.
  ///
  /// - Parameter notes: numbers to note with the commit where commits are counted (`RowChecks.countCommits`); nil keeps those of the commit before.
  public func transaction<Value>(
    noting notes: [Int64]? = nil, _ body: () throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    // The lock for writing is taken at once, so that what was read in it still holds when it is written.
    try execute("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      let value = try body()
      if commitCount != nil { try execute("UPDATE head SET count = count + 1 WHERE name = 'commits'") }
      try execute("COMMIT")
      commitCount?.add(notes: notes)
      return value
    } catch {
      // Some failures have rolled it back by themselves; then there is nothing to undo.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// How many rows the last statement inserted, changed or deleted.
  public var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The INTEGER PRIMARY KEY of the row that was inserted last.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether the connection has to be closed and the file opened anew: every call throws.
  ///
  /// A rollback reads the rollback journal. Where that fails with one of these codes, SQLite goes on as if the transaction had ended: it reports later
  /// commits as done and takes all of them back when the connection is closed.
  public var hasFailed: Bool { failure != nil }

  /// Throws what ended the use of the connection.
  func requireUsable() throws(DatabaseError) {
    if let failure { throw failure }
  }

  func check(_ code: Int32) throws(DatabaseError) {
    guard code != SQLITE_OK else { return }
    let error = DatabaseError(.init(code: code), path: path, message: String(cString: sqlite3_errmsg(handle)))
    if hasRollbackJournal, [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_NOMEM].contains(code & 0xff) { failure = error }
    throw error
  }
}

// MARK: Pragmas

extension Database {
  /// The number that a pragma answers.
  public func number(_ pragma: String) throws(DatabaseError) -> Int64 {
    try prepare("PRAGMA \(pragma)").first { $0.integer(0) ?? 0 } ?? 0
  }

  /// Throws `corrupt` with the first thing that is wrong with the file. Reads all of it.
  public func quickCheck() throws(DatabaseError) {
    let finding = try prepare("PRAGMA quick_check(1)").first { $0.text(0) ?? "" } ?? ""
    guard finding != "ok" else { return }
    let lines = finding.split(separator: "\n").joined(separator: ", ")
    throw DatabaseError(.corrupt, path: path, message: "the database is damaged: \(lines)")
  }

  /// Commits go to the file itself, by a rollback journal that is deleted with each: a power cut loses none. Slower than a write-ahead log, and no damage to
  /// a log can take commits back.
  public func enableRollbackJournal() throws(DatabaseError) {
    try execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA")
    hasRollbackJournal = true
  }

  /// Commits go to a write-ahead log from now on, and each is on the disk when it returns: a power cut loses none.
  public func enableWriteAheadLog() throws(DatabaseError) {
    try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  }
}
