internal import CSQLite

extension Database {
  /// Reads the whole file, and throws `corrupt` with the first error in it.
  ///
  /// In addition to `quickCheck`, finds rows and indexes that are out of order.
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
