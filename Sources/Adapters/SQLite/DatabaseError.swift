internal import CSQLite

/// What SQLite refused to do, and why. Every failure is worth telling; a few are worth telling apart.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Sendable {
    /// Another process holds it.
    case busy
    /// The disk has no room, or the file may not become larger.
    case full
    /// It can be read and not written.
    case readOnly
    /// The file cannot be opened or made.
    case cannotOpen
    /// The disk fails.
    case disk
    /// Its content is damaged.
    case corrupt
    /// It is no database.
    case notADatabase
    /// It belongs to another program.
    case foreign
    /// A later version of this program wrote it.
    case fromTheFuture
    /// A statement is wrong or breaks a constraint.
    case statement
  }

  public let reason: Reason
  /// The database's file.
  public let path: String
  /// What SQLite says of it.
  public let message: String

  public init(_ reason: Reason, path: String, message: String) {
    self.reason = reason
    self.path = path
    self.message = message
  }

  /// Nothing can be made of what is in the file: it is not the disk, and not for now.
  public var isUnreadable: Bool {
    switch reason {
    case .corrupt, .notADatabase, .foreign, .fromTheFuture, .statement: true
    case .busy, .full, .readOnly, .cannotOpen, .disk: false
    }
  }

  /// `/var/lib/beaconmon/journal.db: database or disk is full; make room on its disk`
  public var description: String { "\(path): \(message)\(advice.map { "; \($0)" } ?? "")" }

  private var advice: String? {
    switch reason {
    case .busy: "end the other process that uses it"
    case .full: "make room on its disk"
    case .readOnly: "make the file, its folder and its disk writable; for a service, ReadWritePaths= in a drop-in of its unit does"
    case .cannotOpen: "make its folder, and let this user write there"
    case .disk: "its disk fails or takes no more; look at its room, its quota and the kernel's log"
    case .corrupt, .notADatabase, .foreign: "move it away"
    case .fromTheFuture: "install the later version again, or move it away"
    case .statement: nil
    }
  }
}

extension DatabaseError.Reason {
  /// From a result code, extended or not; see https://sqlite.org/rescode.html.
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
