import Glibc

/// Puts a file that cannot be read where it is in nobody's way. It is never deleted: whoever it belongs to may want it.
public enum UnreadableFile {
  /// More of them are a disk that fails, and would fill it.
  private static let most = 8

  /// Renames the database at `path` and its log to the first of `path.1` to `path.8` that is free, and returns which; nil when that cannot be done.
  public static func moveAside(_ path: String) -> String? {
    guard let name = freeName(for: path) else { return nil }
    // A log may be all that is left.
    guard rename(path, name) == 0 || errno == ENOENT else { return nil }
    // Without its database a log belongs to nobody; with the next one it would be mistaken for that one's.
    for suffix in ["-wal", "-shm", "-journal", CommitCount.suffix] where access(path + suffix, F_OK) == 0 {
      guard rename(path + suffix, name + suffix) == 0 else { return nil }
    }
    return name
  }

  /// The same for the write-ahead log alone.
  static func moveLogAside(_ path: String) -> String? {
    guard let name = freeName(for: path).map({ $0 + "-wal" }), rename(path + "-wal", name) == 0 else { return nil }
    unlink(path + "-shm")
    return name
  }

  private static func freeName(for path: String) -> String? {
    names(of: path).first { name in ["", "-wal"].allSatisfy { access(name + $0, F_OK) != 0 } }
  }

  /// Whether a file was moved aside that was at `path` once.
  public static func hasMovedAside(_ path: String) -> Bool { names(of: path).contains { name in access(name, F_OK) == 0 } }

  /// The names that a file at `path` may be moved to.
  static func names(of path: String) -> [String] { (1...most).map { "\(path).\($0)" } }
}
