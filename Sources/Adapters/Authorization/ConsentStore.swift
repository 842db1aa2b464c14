import ConsentService
import Glibc
import Instants
import Records
import SQLite

/// The file of decisions, uses and registered regions.
///
/// Each call is one commit, which is durable when the call returns. Damage never turns a denial into a permission: while decisions are
/// in doubt, location services are off (decision 24).
public final class ConsentStore: ConsentFile {
  /// The result of opening the file.
  enum Access {
    /// The file can be written.
    case kept
    /// The file can only be read; its content is copied to memory.
    case readOnly(DatabaseError)
    /// The content of the file is unknown; new decisions end with the process.
    case unreadable
  }

  private struct Connection {
    let database: Database
    let checks: RowChecks
  }

  /// The path of the file; `nil` for a store in memory.
  public let path: String?
  /// The problem with the file, now or when it was opened, and its consequences; `nil` if there is none.
  public internal(set) var note: String?
  /// The reason why other users can read or replace the file, and advice; `nil` if they cannot.
  public private(set) var permissionWarning: String?
  /// The connection; `nil` after an error from which it did not recover, until the file is opened again.
  private var connection: Connection?
  private(set) var access: Access
  /// Whether decisions are damaged, missing, outdated or unreadable, until an administrator uses the switch.
  var isInDoubt = false

  /// Opens or creates the file.
  ///
  /// - A file that is damaged, of another program or of a later version is moved aside; its readable denials are kept.
  /// - A file that cannot be written is read, and changes are refused.
  /// - A file that cannot be read at all stays as it is, and everything is kept in memory.
  ///
  /// In the first and the last case, and if rows are damaged, missing or outdated, location services are off until an administrator
  /// switches them on.
  ///
  /// - Parameter path: the path of the file; `nil` keeps everything in memory.
  /// - Throws: an error if memory runs out.
  public init(path: String?) throws(DatabaseError) {
    self.path = path
    guard let path else {
      (connection, access, permissionWarning) = (try Self.prepared(.inMemory()), .kept, nil)
      return
    }
    let mayHold = Self.mayHold(path)
    let opened: Connection
    do throws(DatabaseError) {
      opened = try Self.open(path)
      access = .kept
    } catch  where error.isUnreadable {
      let denials = Self.denials(in: path)
      let count = Count.text(denials.count, "denial")
      do throws(DatabaseError) {
        guard let name = UnreadableFile.moveAside(path) else { throw error }
        opened = try Self.open(path)
        access = .kept
        note =
          "\(path) could not be read and was moved to \(name): \(error.message); \(count) could be read and still appl\(denials.count == 1 ? "ies" : "y"); "
          + "other decisions are lost, and apps must register their regions again"
      } catch {
        opened = try Self.prepared(.inMemory())
        access = .unreadable
        isInDoubt = true
        note = Self.unreadableNote(error)
      }
      (connection, permissionWarning) = (opened, opened.database.permissionWarning)
      keep(denials)
      return
    } catch {
      (opened, access, note) = try Self.instead(of: path, error)
      if case .unreadable = access, mayHold { isInDoubt = true }
    }
    (connection, permissionWarning) = (opened, opened.database.permissionWarning)
    inspect(path)
  }

  /// Whether the file could not be read, so that its content is unknown and changes are kept in memory.
  public var isUnreadable: Bool {
    if case .unreadable = access { true } else { false }
  }

  /// Opens a file that could not be read, under the rules of the first attempt.
  /// If it returns true, the file has replaced the content in memory.
  public func reopen() -> Bool {
    guard isUnreadable else { return true }
    let other: ConsentStore
    do throws(DatabaseError) { other = try ConsentStore(path: path) } catch { return false }
    guard !other.isUnreadable else { return false }
    (connection, access, isInDoubt) = (other.connection, other.access, other.isInDoubt)
    (note, permissionWarning) = (other.note, other.permissionWarning)
    return true
  }

  /// Returns whether the file at `path` may contain decisions, readable or not. Opening the store creates a missing file.
  public static func mayHold(_ path: String) -> Bool {
    Glibc.access(path, F_OK) == 0 || errno != ENOENT || UnreadableFile.hasMovedAside(path)
  }

  /// Throws unless decisions can be saved, or the store is in memory.
  func requireWritable() throws(DatabaseError) {
    if case .readOnly(let error) = access { throw error }
  }
}

// MARK: The connection

extension ConsentStore {
  var database: Database { get throws(DatabaseError) { try usable().database } }
  var checks: RowChecks { get throws(DatabaseError) { try usable().checks } }

  /// Returns the connection; opens the file again after an error from which its connection did not recover.
  ///
  /// - Throws: the error if the file cannot be opened. Then nothing changes, and acknowledged decisions are in the file.
  private func usable() throws(DatabaseError) -> Connection {
    if let connection, !connection.database.hasFailed { return connection }
    // Only one connection can use the file.
    connection = nil
    guard let path, Self.mayHold(path) else { throw DatabaseError(.cannotOpen, path: path ?? "", message: "the file is gone") }
    let opened = try Self.open(path)
    connection = opened
    if !isInDoubt { try compareCommits(path) }
    for table in CheckedTable.decisive where try !opened.checks.findings(in: table).isIntact {
      doubt("\(path) is damaged: \(table.meaning); denials may be lost; readable ones still apply")
    }
    return opened
  }
}

// MARK: Opening

extension ConsentStore {
  private static func open(_ path: String) throws(DatabaseError) -> Connection {
    if Glibc.access(path, F_OK) != 0, errno == ENOENT {
      // If an administrator deleted the file, its count of commits must not apply to the next one.
      RowChecks.removeCount(beside: path)
      try Schema.consent.create(path)
    }
    if Database.isEmpty(path) { throw DatabaseError(.corrupt, path: path, message: "the file is empty") }
    let database = try Database(path: path, .exclusive)
    try database.integrityCheck()
    try Schema.consent.apply(to: database)
    // If a write-ahead log is damaged, SQLite silently drops its commits, which may contain a denial.
    try database.enableRollbackJournal()
    let checks = try RowChecks(database, CheckedTable.consent)
    // A damaged schema shows only when its columns are read.
    for table in CheckedTable.consent { _ = try checks.findings(in: table) }
    return Connection(database: database, checks: checks)
  }

  private static func prepared(_ database: Database) throws(DatabaseError) -> Connection {
    try Schema.consent.apply(to: database)
    return Connection(database: database, checks: try RowChecks(database, CheckedTable.consent))
  }

  /// Returns the replacement for a file that cannot be opened for writing.
  private static func instead(
    of path: String, _ error: DatabaseError
  ) throws(DatabaseError) -> (Connection, Access, note: String) {
    // If another process uses the file, it may change decisions.
    if error.reason != .busy, mayHold(path) {
      do throws(DatabaseError) {
        let copy = try Database.copy(of: path)
        try copy.integrityCheck()
        return (
          try prepared(copy), .readOnly(error),
          "\(error); decisions still apply, and cannot be changed until the file is writable"
        )
      } catch {
        // The file cannot be read either, which the first error reports.
      }
    }
    return (try prepared(.inMemory()), .unreadable, unreadableNote(error))
  }

  private static func unreadableNote(_ error: DatabaseError) -> String {
    "\(error); until it can be read, which beaconmond tries each minute, earlier decisions are unknown, and new ones are in memory"
  }
}
