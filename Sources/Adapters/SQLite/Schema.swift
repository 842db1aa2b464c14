import Glibc

/// What a database of ours consists of, and how each earlier version of it becomes the current one.
///
/// The application's number and the version stand in the file's header, as `PRAGMA application_id` and `user_version`.
public struct Schema: Sendable {
  /// Tells our files from those of other programs; not zero.
  public let application: Int32
  /// The first makes version 1 of an empty file, and each other the next version of the one before.
  public let steps: [String]

  public init(application: Int32, steps: [String]) {
    self.application = application
    self.steps = steps
  }

  public var version: Int { steps.count }

  /// A database of the current version with a write-ahead log. What `apply` throws, and what opening does.
  public func open(_ path: String, _ access: Database.Access = .readWrite) throws(DatabaseError) -> Database {
    let database = try Database(path: path, access)
    try apply(to: database)
    try database.enableWriteAheadLog()
    return database
  }

  /// Makes the file at `path`, under another name first, so that a crash leaves no empty file.
  public func create(_ path: String) throws(DatabaseError) {
    let new = path + ".new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(new + suffix) }
    do {
      let database = try Database(path: new, .exclusive)
      try database.enableRollbackJournal()
      try apply(to: database)
    }
    guard rename(new, path) == 0 else {
      throw DatabaseError(.cannotOpen, path: path, message: "cannot be made: \(String(cString: strerror(errno)))")
    }
  }

  /// Brings the database to the current version in one commit. Throws `foreign` or `fromTheFuture`, and leaves what it does not know as it is, except for triggers.
  public func apply(to database: Database) throws(DatabaseError) {
    let found = try version(of: database)
    if found > 0 { try dropForeignTriggers(in: database) }
    guard found < version else { return }
    // Only a file without tables takes it: pages that were freed can then be given back.
    if found == 0 { try database.execute("PRAGMA auto_vacuum = INCREMENTAL") }
    try database.transaction { () throws(DatabaseError) in
      for step in steps[found...] { try database.execute(step) }
      try database.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
    }
  }

  /// A trigger that is none of ours could refuse or change what is written.
  private func dropForeignTriggers(in database: Database) throws(DatabaseError) {
    let names = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all { $0.text(0) ?? "" }
    for name in names where !steps.contains(where: { $0.contains("CREATE TRIGGER \(name) ") }) {
      try database.execute("DROP TRIGGER \"\(name.replacing("\"", with: "\"\""))\"")
    }
  }

  /// Zero for a file that is empty.
  private func version(of database: Database) throws(DatabaseError) -> Int {
    let owner = try database.number("application_id")
    let found = Int(try database.number("user_version"))
    if owner == 0, found == 0, try database.prepare("SELECT count(*) FROM sqlite_schema").first(read: { $0.integer(0) }) == 0 { return 0 }
    guard owner == Int64(application), found > 0 else {
      throw DatabaseError(.foreign, path: database.path, message: "the database of another program")
    }
    // No program has so many versions: it is the number that is damaged.
    guard found < 10_000 else {
      throw DatabaseError(.corrupt, path: database.path, message: "the database is damaged: its version is \(found)")
    }
    guard found <= version else {
      throw DatabaseError(
        .fromTheFuture, path: database.path, message: "has schema version \(found), this program knows up to \(version)")
    }
    return found
  }
}
