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
