import Glibc

/// A new file, a pipe or a device, or standard output when the path is "-".
public struct OutputFile: ~Copyable {
  private let path: String
  private let descriptor: Int32

  /// - Parameters:
  ///   - replaces: whether a file that exists is replaced; otherwise it remains unchanged, and this throws `exists`.
  ///   - isPrivate: whether only the user may read a new file.
  public init(path: String, replaces: Bool, isPrivate: Bool = false) throws(OutputError) {
    self.path = path
    if path == "-" {
      descriptor = STDOUT_FILENO
    } else {
      var status = stat()
      let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
      let creation = isSpecial ? 0 : O_CREAT | (replaces ? O_TRUNC : O_EXCL)
      descriptor = open(path, O_WRONLY | O_CLOEXEC | creation, isPrivate ? 0o600 : 0o644)
    }
    guard descriptor >= 0 else { throw errno == EEXIST ? .exists(path: path) : .file(path: path, code: errno) }
  }

  /// Throws `exists` if there is a file at the path that must not be replaced.
  /// A program that creates several files calls this before it creates the first.
  public static func check(path: String) throws(OutputError) {
    var status = stat()
    if path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { throw .exists(path: path) }
  }

  /// Returns whether two paths lead to the same file, by whatever names.
  public static func isSame(_ path: String, as other: String) -> Bool {
    var (one, two) = (stat(), stat())
    guard stat(path, &one) == 0, stat(other, &two) == 0 else { return path == other }
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  deinit {
    if descriptor != STDOUT_FILENO { close(descriptor) }
  }

  /// Writes all octets, and waits for a slow reader.
  public func write(_ octets: RawSpan) throws(OutputError) {
    do throws(OutputError) {
      try TerminalOutput.write(octets, to: descriptor)
    } catch {
      guard case .failed(let code) = error, descriptor != STDOUT_FILENO else { throw error }
      throw .file(path: path, code: code)
    }
  }

  public func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8).span.bytes)
  }
}
