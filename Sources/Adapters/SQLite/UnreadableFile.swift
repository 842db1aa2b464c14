import Glibc

/// Moves unreadable files aside. They are never deleted, because their owner may need them.
public enum UnreadableFile {
  /// The maximum number of such files; more of them indicate a failing disk, and would fill it.
  private static let most = 8

  /// Renames the database at `path` and its log to the first free name of `path.1` to `path.8`.
  ///
  /// - Returns: the new path; `nil` if this is impossible.
  public static func moveAside(_ path: String) -> String? {
    guard let name = freeName(for: path) else { return nil }
    // Possibly only a log is left.
    guard rename(path, name) == 0 || errno == ENOENT else { return nil }
    // A remaining log would be mistaken for that of the next database.
    for suffix in ["-wal", "-shm", "-journal", CommitCount.suffix] where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, name + suffix) == 0 else { return nil }
    }
    return name
  }

  /// Renames only the write-ahead log, in the same way.
  static func moveLogAside(_ path: String) -> String? {
    guard let name = freeName(for: path).map({ $0 + "-wal" }), rename(path + "-wal", name) == 0 else { return nil }
    unlink(path + "-shm")
    return name
  }

  private static func freeName(for path: String) -> String? {
    names(of: path).first { name in ["", "-wal"].allSatisfy { access(name + $0, F_OK) != 0 } }
  }

  /// Returns whether a file at `path` was moved aside.
  public static func hasMovedAside(_ path: String) -> Bool { names(of: path).contains { name in access(name, F_OK) == 0 } }

  /// Returns the names to which a file at `path` can be moved.
  static func names(of path: String) -> [String] { (1...most).map { "\(path).\($0)" } }
}
