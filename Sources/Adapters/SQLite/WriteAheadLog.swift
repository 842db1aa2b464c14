import Glibc

/// The write-ahead log beside a database that no connection uses yet.
///
/// SQLite applies any log there, and reports no commit that it cannot apply.
public enum WriteAheadLog {
  /// Returns whether the database at `path` has a log with content, which the last connection did not apply.
  public static func exists(beside path: String) -> Bool { size(target(of: path) + "-wal") > 0 }

  /// Returns whether commits are lost from the log of the database at `path`.
  ///
  /// They are if a commit that SQLite would not read is followed by another one. A power cut damages the last commit at most, and only
  /// before the call that made it has returned.
  public static func isDamaged(beside path: String) -> Bool { PageScan.isLogDamaged(target(of: path)) }

  /// Removes a log of another database from the database at `path`.
  ///
  /// Call this before a connection opens the database for writing. The log is moved aside; a log beside a link is moved beside the target,
  /// where SQLite looks for it.
  ///
  /// - Returns: each repair, one line each.
  /// - Throws: `corrupt` if the database is missing or empty and its log is there, because SQLite would delete the log.
  public static func prepare(beside path: String, _ tables: [CheckedTable]) throws(DatabaseError) -> [String] {
    var findings: [String] = []
    let target = target(of: path)
    if target != path, size(path + "-wal") > 0, size(target + "-wal") <= 0, rename(path + "-wal", target + "-wal") == 0 {
      findings.append("\(path)-wal was beside a symbolic link and was moved to \(target)-wal")
    }
    // Opening anything but a file fails with a better error.
    guard exists(beside: path), access(target, F_OK) != 0 || isFile(target) else { return findings }
    guard size(target) > 0 else {
      let state = size(target) < 0 ? "missing" : "empty"
      throw DatabaseError(.corrupt, path: path, message: "the file is \(state), but its write-ahead log exists")
    }
    if isForeign(target, CommitCount.content(beside: path)?.id, tables) {
      guard let name = UnreadableFile.moveLogAside(target) else {
        throw DatabaseError(.cannotOpen, path: path, message: "\(target)-wal is the log of another database and cannot be moved aside")
      }
      findings.append("\(target)-wal is the log of another database and was moved to \(name)")
    }
    return findings
  }

  private static func isForeign(_ path: String, _ known: Int64?, _ tables: [CheckedTable]) -> Bool {
    do throws(DatabaseError) {
      let scan = try PageScan(path: path)
      guard let id = scan.databaseID(inLog: true, tables), let own = scan.databaseID(inLog: false, tables) ?? known else { return false }
      return id != own
    } catch {
      // Opening the database reports why it cannot be read.
      return false
    }
  }

  /// Returns the target of a symbolic link, beside which SQLite looks for the log.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func isFile(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the size of a file; negative if it does not exist.
  private static func size(_ path: String) -> Int {
    var found = stat()
    return stat(path, &found) == 0 ? Int(found.st_size) : -1
  }
}
