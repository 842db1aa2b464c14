internal import CSQLite

extension Database {
  /// Throws `corrupt` with the first thing that is wrong with the file: what `quickCheck` finds, and rows and indexes out of order. Reads all of it.
  public func integrityCheck() throws(DatabaseError) {
    let finding = try prepare("PRAGMA integrity_check(1)").first { $0.text(0) ?? "" } ?? ""
    guard finding == "ok" else {
      let lines = finding.split(separator: "\n").joined(separator: ", ")
      throw DatabaseError(.corrupt, path: path, message: "the database is damaged: \(lines)")
    }
    // A file that cannot be written was refused on opening. Its header can say so, too, and no program of ours writes that.
    if sqlite3_db_readonly(handle, "main") == 1 {
      throw DatabaseError(.corrupt, path: path, message: "the database is damaged: its header forbids writing")
    }
  }
}
