import CSystemd
import Glibc

/// The destination of standard error.
enum JournalStream {
  enum Destination {
    /// The systemd journal, with access to its socket for lines with fields.
    case journal
    /// The systemd journal through standard error only; a number before each line is its priority.
    case prefixedLines
    /// A terminal, a file or a pipe.
    case plainLines
  }

  static var destination: Destination {
    guard isStandardError else { return .plainLines }
    return access("/run/systemd/journal/socket", W_OK) == 0 ? .journal : .prefixedLines
  }

  /// Whether standard error is connected to the journal.
  ///
  /// The device and the inode are compared, because a program may inherit the variable and redirect standard error (systemd.exec(5),
  /// `$JOURNAL_STREAM`).
  private static var isStandardError: Bool {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes one line with its fields; returns false if the journal rejects it.
  static func send(_ fields: [(String, String)]) -> Bool {
    var octets: [UInt8] = []
    var ends: [Int] = []
    for (name, value) in fields {
      octets += "\(name)=\(value)".utf8
      ends.append(octets.count)
    }
    return octets.withUnsafeMutableBytes { buffer in
      let parts = zip([0] + ends, ends).map { start, end in iovec(iov_base: buffer.baseAddress?.advanced(by: start), iov_len: end - start) }
      return sd_journal_sendv(parts, Int32(parts.count)) == 0
    }
  }
}
