public import EventLoop
import Glibc

/// A reason why a file is not trusted.
public enum UntrustedFileError: Error, Hashable, CustomStringConvertible {
  /// The file or a folder above it cannot be examined.
  case unavailable(SystemCallError)
  /// Other users than root can change this file or folder.
  case writable(String)

  public var description: String {
    switch self {
    case .unavailable(let error): "\(error)"
    case .writable(let path):
      "\(path) is writable by other users than root, so its commands are not run: chown root \(path) && chmod go-w \(path)"
    }
  }
}

/// A file that only root can change.
enum TrustedFile {
  /// Returns `path` without symbolic links; throws if another user could change or replace the file.
  ///
  /// The file and every folder above it must belong to root, and must not be writable by group or others. A folder with the sticky bit
  /// may be writable, as other users can change only their own files there.
  static func path(_ path: String) throws(UntrustedFileError) -> String {
    guard let resolved = realpath(path, nil) else { throw .unavailable(.last("open", path)) }
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

  private static func check(_ path: String) throws(UntrustedFileError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .unavailable(.last("stat", path)) }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    // Every user may write to /dev/null, without effect, and a link to it hides a drop-in.
    let isNull = path == "/dev/null"
    let mayBeWritten = !isNull && status.st_mode & (S_IWGRP | S_IWOTH) != 0 && !(isFolder && status.st_mode & S_ISVTX != 0)
    guard status.st_uid == 0, !mayBeWritten else { throw .writable(path) }
  }
}
