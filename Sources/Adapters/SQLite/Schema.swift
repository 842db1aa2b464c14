import Glibc

/// The definition of a database, with the steps that convert earlier versions into the current one.
///
/// The header of the file contains the number of the application and the version, as `PRAGMA application_id` and `user_version`.
public struct Schema: Sendable {
  /// A number that distinguishes our files from those of other programs; not zero.
  public let application: Int32
  /// The steps: the first creates version 1 in an empty file, and each other converts a version into the next one.
  public let steps: [String]

  public init(application: Int32, steps: [String]) {
    self.application = application
    self.steps = steps
  }

  public var version: Int { steps.count }

  /// Opens a database with a write-ahead log, and converts it to the current version.
  public func open(_ path: String, _ access: Database.Access = .readWrite) throws(DatabaseError) -> Database {
    let database = try Database(path: path, access)
    try apply(to: database)
    try database.enableWriteAheadLog()
    return database
  }

  /// Creates the file at `path`, under another name first, so that a crash leaves no empty file.
  public func create(_ path: String) throws(DatabaseError) {
    let new = path + ".new"
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(new + suffix) }
    do {
      let database = try Database(path: new, .exclusive)
      try database.enableRollbackJournal()
      try apply(to: database)
    }
    guard rename(new, path) == 0 else {
      throw DatabaseError(.cannotOpen, path: path, message: "cannot be created: \(String(cString: strerror(errno)))")
    }
  }

  /// Converts the database to the current version in one commit.
  ///
  /// Unknown tables stay as they are; unknown triggers are removed. Throws `foreign` or `fromTheFuture`.
  public func apply(to database: Database) throws(DatabaseError) {
    let found = try version(of: database)
    if found > 0 { try dropForeignTriggers(in: database) }
    guard found < version else { return }
    // This is possible only without tables, and allows freed pages to be returned to the disk.
    if found == 0 { try database.execute("PRAGMA auto_vacuum = INCREMENTAL") }
    try database.transaction { () throws(DatabaseError) in
      for step in steps[found...] { try database.execute(step) }
      try database.execute("PRAGMA application_id = \(application); PRAGMA user_version = \(version)")
    }
  }

  /// Removes unknown triggers, which could prevent or change writes.
  private func dropForeignTriggers(in database: Database) throws(DatabaseError) {
    let names = try database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all { $0.text(0) ?? "" }
    for name in names where !steps.contains(where: { $0.contains("CREATE TRIGGER \(name) ") }) {
      try database.execute("DROP TRIGGER \"\(name.replacing("\"", with: "\"\""))\"")
    }
  }

  /// Returns the version; 0 for an empty file.
  private func version(of database: Database) throws(DatabaseError) -> Int {
    let owner = try database.number("application_id")
    let found = Int(try database.number("user_version"))
    if owner == 0, found == 0, try database.prepare("SELECT count(*) FROM sqlite_schema").first(read: { $0.integer(0) }) == 0 { return 0 }
    guard owner == Int64(application), found > 0 else {
      throw DatabaseError(.foreign, path: database.path, message: "is the database of another program")
    }
    // No program has this many versions, so the number is damaged.
    guard found < 10_000 else {
      throw DatabaseError(.corrupt, path: database.path, message: "the database is damaged: its version is \(found)")
    }
    guard found <= version else {
      throw DatabaseError(
        .fromTheFuture, path: database.path, message: "has schema version \(found), but this program supports up to \(version)")
    }
    return found
  }
}
