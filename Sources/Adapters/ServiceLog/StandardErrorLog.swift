import CSystemd
import Diagnostics
import Glibc
import Logging

/// A log handler that writes to standard error, or to the systemd journal if standard error is connected to it.
///
/// A message is one line, followed by metadata as `key=value`, except for the fields of `LogField`, which only the journal stores. Control
/// characters,
/// which may come from advertisements or the bus, are replaced by spaces.
public struct StandardErrorLog: LogHandler {
  public var metadata: Logger.Metadata = [:]
  public var logLevel = Logger.Level.info

  private let program: String
  private let destination = JournalStream.destination

  public init(program: String) {
    self.program = program
  }

  public func log(event: LogEvent) {
    let merged = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let pairs = merged.filter { LogField(rawValue: $0.key) == nil }.map { " \($0.key)=\($0.value)" }.joined()
    let text = "\(event.message)\(pairs)".printableLine
    switch destination {
    case .journal:
      let fields = merged.filter { LogField(rawValue: $0.key) != nil }.map { ($0.key, "\($0.value)".printableLine) }
      let isKept = JournalStream.send(
        [("MESSAGE", text), ("PRIORITY", "\(event.level.priority)"), ("SYSLOG_IDENTIFIER", program)] + fields)
      if !isKept { write("<\(event.level.priority)>\(text)\n") }
    case .prefixedLines: write("<\(event.level.priority)>\(text)\n")
    case .plainLines: write("\(program): \(event.level.word)\(text)\n")
    }
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  private func write(_ line: String) {
    var octets = Array(line.utf8)[...]
    while !octets.isEmpty {
      let written = octets.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written < 0 && errno != EINTR { return }
      octets = octets.dropFirst(max(0, written))
    }
  }
}

extension Logger.Level {
  /// The priority of syslog(3), which systemd reads (sd-daemon(3)).
  fileprivate var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }

  fileprivate var word: String {
    switch self {
    case .trace, .debug, .info, .notice: ""
    case .warning: "warning: "
    case .error, .critical: "error: "
    }
  }
}

/// The destination of standard error.
private enum JournalStream {
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
