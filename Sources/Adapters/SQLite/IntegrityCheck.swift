import Glibc

extension Database {
  /// Throws `corrupt` with the first thing that is wrong with the file: what `quickCheck` finds, and rows and indexes out of order. Reads all of it.
  public func integrityCheck() throws(DatabaseError) {
    let finding = try prepare("PRAGMA integrity_check(1)").first { $0.text(0) ?? "" } ?? ""
    guard finding != "ok" else { return }
    let lines = finding.split(separator: "\n").joined(separator: ", ")
    throw DatabaseError(.corrupt, path: path, message: "the database is damaged: \(lines)")
  }
}

extension Database {
  /// Whether the database at `path` has a write-ahead log that holds something: its last user did not close it, or could not.
  public static func hasLog(_ path: String) -> Bool {
    var found = stat()
    return stat(path + "-wal", &found) == 0 && found.st_size > 0
  }
}
