internal import CSQLite
import Glibc

/// A connection to an SQLite database, for the thread that created it.
///
/// Statements are prepared once. The connection is closed when it and its statements are released. Files are not trusted: functions in
/// their schema can do no harm, and damage causes only errors.
public final class Database {
  /// The path of the file, for errors.
  public let path: String
  /// The reason why other users can read or replace the file, and advice; `nil` if they cannot.
  public let permissionWarning: String?
  let handle: OpaquePointer
  /// Whether commits use a rollback journal.
  private var hasRollbackJournal = false
  private var failure: DatabaseError?
  /// The count of commits; `nil` before `RowChecks.countCommits`.
  var commitCount: CommitCount?

  public enum Access: Sendable {
    /// Creates a missing file for its owner alone (`PrivateFile`); its folder must exist.
    case readWrite
    /// The mode `readWrite`, for this connection alone after the first read, so a write-ahead log needs no shared memory.
    case exclusive
    case readOnly
  }

  /// Returns whether the file at `path` exists and is empty, which SQLite takes for a new database.
  public static func isEmpty(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG && found.st_size == 0
  }

  public convenience init(path: String, _ access: Access = .readWrite) throws(DatabaseError) {
    let warning = access == .readOnly || path.isEmpty ? nil : PrivateFile.prepare(path)
    try self.init(name: path, access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, warning: warning)
    // Without permission to write, SQLite silently opens the file for reading.
    if access != .readOnly, sqlite3_db_readonly(handle, "main") == 1 {
      throw DatabaseError(.readOnly, path: path, message: "the database cannot be written")
    }
    if access == .exclusive { try execute("PRAGMA locking_mode = EXCLUSIVE") }
  }

  /// Returns a database in memory, which ends with the connection.
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
    // Protects against manipulated files: https://sqlite.org/security.html, "Untrusted SQLite Database Files".
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

  /// Runs statements without values, and ignores their rows.
  public func execute(_ sql: String) throws(DatabaseError) {
    try requireUsable()
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Prepares a statement that can be run many times.
  public func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    try Statement(self, sql)
  }

  /// Runs `body` in a transaction, which is rolled back if `body` or the commit throws.
  ///
  /// - Parameter notes: numbers to note with the commit if commits are counted (`RowChecks.countCommits`); `nil` keeps the previous ones.
  public func transaction<Value>(
    noting notes: [Int64]? = nil, _ body: () throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    // Takes the write lock at once, so that values read in the transaction are still valid when it writes.
    try execute("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      let value = try body()
      if commitCount != nil { try execute("UPDATE head SET count = count + 1 WHERE name = 'commits'") }
      try execute("COMMIT")
      commitCount?.add(notes: notes)
      return value
    } catch {
      // Some failures roll back by themselves.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// The number of rows that the last statement inserted, changed or deleted.
  public var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The INTEGER PRIMARY KEY of the last inserted row.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Whether every call throws until the connection is closed and the file is opened again.
  ///
  /// A rollback reads the rollback journal. If that fails with one of these codes, SQLite continues as if the transaction had ended: it
  /// reports later commits as done, and reverts all of them when the connection is closed.
  public var hasFailed: Bool { failure != nil }

  /// Throws the error after which the connection cannot be used, if there was one.
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
  /// Returns the number that a pragma answers.
  public func number(_ pragma: String) throws(DatabaseError) -> Int64 {
    try prepare("PRAGMA \(pragma)").first { $0.integer(0) ?? 0 } ?? 0
  }

  /// Selects a rollback journal, which is deleted with each commit.
  ///
  /// A power cut loses no commit. This is slower than a write-ahead log, but damage to a log cannot revert commits.
  public func enableRollbackJournal() throws(DatabaseError) {
    try execute("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA")
    hasRollbackJournal = true
  }

  /// Selects a write-ahead log, to which each commit is flushed, so that a power cut loses none.
  public func enableWriteAheadLog() throws(DatabaseError) {
    try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
  }
}

extension Database {
  /// Reads the whole file, and throws `corrupt` with the first error in it, including rows and indexes that are out of order.
  public func integrityCheck() throws(DatabaseError) {
    let finding = try prepare("PRAGMA integrity_check(1)").first { $0.text(0) ?? "" } ?? ""
    guard finding == "ok" else {
      let lines = finding.split(separator: "\n").joined(separator: ", ")
      throw DatabaseError(.corrupt, path: path, message: "the database is damaged: \(lines)")
    }
    // Opening refuses a file that is not writable. The header can forbid writing too, which our programs never do, so it is damaged.
    if sqlite3_db_readonly(handle, "main") == 1 {
      throw DatabaseError(.corrupt, path: path, message: "the database is damaged: its header forbids writing")
    }
  }
}

/// The SQL functions of checked tables, available on every connection:
///
/// - `row_checksum(id, table, value, …)`: the checksum of a row in the database with this id;
/// - `rows_digest(checksum)`: an aggregate that combines the checksums of rows in any order.
enum RowFunctions {
  static func register(with handle: OpaquePointer) -> Int32 {
    // Innocuous functions may be used by a schema that is not trusted, because they can do no harm.
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(handle, "row_checksum", -1, flags, nil, rowChecksum, nil, nil, nil)
    guard code == SQLITE_OK else { return code }
    return sqlite3_create_function_v2(handle, "rows_digest", 1, flags, nil, nil, addToDigest, writeDigest, nil)
  }
}

private func rowChecksum(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
  guard count >= 2, let values else {
    sqlite3_result_error(context, "row_checksum needs an id and a table", -1)
    return
  }
  var hash = RowHash()
  for index in 1..<Int(count) {
    let value = values[index]
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: hash.add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: hash.add(sqlite3_value_double(value))
    case SQLITE_TEXT:
      // SQLite requires the octets to be read before their count, because reading may convert them.
      let octets = sqlite3_value_text(value)
      hash.add(text: UnsafeRawBufferPointer(start: octets, count: octets == nil ? 0 : Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
      let octets = sqlite3_value_blob(value)
      hash.add(blob: UnsafeRawBufferPointer(start: octets, count: octets == nil ? 0 : Int(sqlite3_value_bytes(value))))
    default: hash.addNull()
    }
  }
  // The id is combined last, so that it can be recovered from the rows if everything else is damaged.
  sqlite3_result_int64(context, Int64(bitPattern: hash.value) ^ sqlite3_value_int64(values[0]))
}

private func addToDigest(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
  guard let values, let digest = sqlite3_aggregate_context(context, 8)?.assumingMemoryBound(to: Int64.self) else { return }
  digest.pointee ^= sqlite3_value_int64(values[0])
}

private func writeDigest(_ context: OpaquePointer?) {
  // Without rows, no memory is allocated.
  let digest = sqlite3_aggregate_context(context, 0)?.assumingMemoryBound(to: Int64.self)
  sqlite3_result_int64(context, digest?.pointee ?? 0)
}
