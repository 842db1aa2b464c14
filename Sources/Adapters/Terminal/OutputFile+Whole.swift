import Glibc

extension OutputFile {
  /// Writes a text to a file, which has all of it afterwards or is as it was before, also when the disk fills.
  ///
  /// A pipe or a device takes the text as it comes.
  ///
  /// - Parameter replaces: whether a file that exists is replaced; otherwise this throws `exists`.
  public static func writeWhole(_ text: String, to path: String, replaces: Bool) throws(OutputError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    if path == "-" || exists && status.st_mode & S_IFMT != S_IFREG {
      return try OutputFile(path: path, replaces: replaces).write(text)
    }
    if exists, !replaces { throw .exists(path: path) }
    // If the path is a link, the link stays.
    let target = exists ? resolved(path) : path
    let temporary = "\(target).new-\(getpid())"
    do throws(OutputError) {
      try fill(temporary, with: text, path, mode: exists ? status.st_mode & 0o7777 : nil)
      guard install(temporary, at: target, replaces: replaces) else { throw error(path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func fill(_ temporary: String, with text: String, _ path: String, mode: mode_t?) throws(OutputError) {
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw error(path) }
    defer { close(descriptor) }
    if let mode { fchmod(descriptor, mode) }
    do throws(OutputError) {
      try TerminalOutput.write(Array(text.utf8).span.bytes, to: descriptor)
    } catch {
      guard case .failed(let code) = error else { throw error }
      throw .file(path: path, code: code)
    }
    guard fsync(descriptor) == 0 else { throw error(path) }
  }

  private static func install(_ temporary: String, at target: String, replaces: Bool) -> Bool {
    if replaces { return rename(temporary, target) == 0 }
    // A link, other than a renamed file, never replaces another file.
    if link(temporary, target) == 0 { return unlink(temporary) == 0 }
    // Some file systems have no links.
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
    guard access(target, F_OK) != 0 else {
      errno = EEXIST
      return false
    }
    return rename(temporary, target) == 0
  }

  private static func error(_ path: String) -> OutputError {
    errno == EEXIST ? .exists(path: path) : .file(path: path, code: errno)
  }

  private static func resolved(_ path: String) -> String {
    guard let text = realpath(path, nil) else { return path }
    defer { free(text) }
    return String(cString: text)
  }
}
