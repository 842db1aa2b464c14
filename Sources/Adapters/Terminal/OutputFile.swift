import Glibc

/// A file that is made anew, or standard output when the path is "-".
public struct OutputFile: ~Copyable {
  private let path: String
  private let descriptor: Int32

  public init(path: String) throws(OutputError) {
    self.path = path
    descriptor = path == "-" ? STDOUT_FILENO : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .file(path: path, code: errno) }
  }

  deinit {
    if descriptor != STDOUT_FILENO { close(descriptor) }
  }

  /// Writes all octets, and waits where the reader is slow.
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
