import EventLoop
import Failures
import Glibc

/// A file that nobody but root can change.
public enum TrustedFile {
  /// Returns `path` without symbolic links. Throws when another user could change the file, or put another one in its place: the file and every folder
  /// above it have to belong to root, and neither group nor others may write them. In a folder with the sticky bit they may, as they can change there only
  /// what is theirs.
  public static func path(_ path: String) throws(Failure) -> String {
    guard let resolved = realpath(path, nil) else { throw Failure(.noInput, "\(SystemCallError.last("open", path))") }
    defer { free(resolved) }
    let file = String(cString: resolved)
    var place = ""
    try check("/")
    for name in file.split(separator: "/") {
      place += "/\(name)"
      try check(place)
    }
    return file
  }

  private static func check(_ path: String) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw Failure(.noInput, "\(SystemCallError.last("stat", path))") }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    let mayBeWritten = status.st_mode & (S_IWGRP | S_IWOTH) != 0 && !(isFolder && status.st_mode & S_ISVTX != 0)
    guard status.st_uid == 0, !mayBeWritten else {
      throw Failure(
        .noPermission,
        "\(path) can be changed by others than root, and no command of it is run: chown root \(path) && chmod go-w \(path)")
    }
  }
}
