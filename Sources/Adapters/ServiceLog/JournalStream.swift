import CSystemd
import Glibc

/// Where standard error leads to.
enum JournalStream {
  enum Destination {
    /// The systemd journal, which takes lines with fields.
    case journal
    /// The systemd journal, but only by standard error: a number before each line says how urgent it is.
    case prefixedLines
    /// A terminal, a file, a pipe.
    case plainLines
  }

  static var destination: Destination {
    guard isStandardError else { return .plainLines }
    return access("/run/systemd/journal/socket", W_OK) == 0 ? .journal : .prefixedLines
  }

  /// Whether standard error is the stream that systemd has connected with the journal. A program that inherited the variable and has its standard error
  /// elsewhere is recognised by the device and the inode (systemd.exec(5), `$JOURNAL_STREAM`).
  private static var isStandardError: Bool {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes one line with its fields; false when the journal does not take it.
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
