internal import CSQLite

/// An error of SQLite, with a reason that distinguishes the cases with different advice.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Sendable {
    /// Another process uses the database.
    case busy
    /// The disk is full, or the file has reached its maximum size.
    case full
    /// The database can be read but not written.
    case readOnly
    /// The file cannot be opened or created.
    case cannotOpen
    /// The disk failed.
    case disk
    /// The content is damaged.
    case corrupt
    /// The file is not a database.
    case notADatabase
    /// The database belongs to another program.
    case foreign
    /// A later version of this program wrote the database.
    case fromTheFuture
    /// A statement is wrong or violates a constraint.
    case statement
  }

  public let reason: Reason
  /// The path of the database.
  public let path: String
  /// The message of SQLite.
  public let message: String

  public init(_ reason: Reason, path: String, message: String) {
    self.reason = reason
    self.path = path
    self.message = message
  }

  /// Whether the content of the file is permanently unusable, rather than the disk or for now.
  public var isUnreadable: Bool {
    switch reason {
    case .corrupt, .notADatabase, .foreign, .fromTheFuture, .statement: true
    case .busy, .full, .readOnly, .cannotOpen, .disk: false
    }
  }

  /// The message with advice, such as `/var/lib/beaconmon/journal.db: database or disk is full; free space on its disk`.
  public var description: String { "\(path): \(message)\(advice.map { "; \($0)" } ?? "")" }

  private var advice: String? {
    switch reason {
    case .busy: "stop the other process that uses it"
    case .full: "free space on its disk"
    case .readOnly: "make the file, its folder and its disk writable; for a service, add ReadWritePaths= in a drop-in of its unit"
    case .cannotOpen: "create its folder, and let this user write there"
    case .disk: "its disk failed or is full; check its free space, its quota and the kernel log"
    case .corrupt, .notADatabase, .foreign: "move it away"
    case .fromTheFuture: "install the later version again, or move it away"
    case .statement: nil
    }
  }
}

extension DatabaseError.Reason {
  /// Creates an error from a result code, extended or not; see https://sqlite.org/rescode.html.
  init(code: Int32) {
    self =
      switch code & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
      case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PROTOCOL, SQLITE_NOLFS: .disk
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_NOTADB, SQLITE_FORMAT: .notADatabase
      default: .statement
      }
  }
}
