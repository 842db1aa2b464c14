import Glibc
import Logging

/// Log lines on standard error: with the journal's priority prefixes under systemd, else as `program: warning: message`.
///
/// A message is one line; metadata follows it as `key=value`. Line breaks and control characters in either, which may come from the air or the bus, become spaces.
public struct StandardErrorLog: LogHandler {
  public var metadata: Logger.Metadata = [:]
  public var logLevel = Logger.Level.info

  private let program: String
  private let isJournal: Bool

  public init(program: String) {
    self.program = program
    isJournal = getenv("JOURNAL_STREAM") != nil
  }

  public func log(event: LogEvent) {
    let merged = metadata.merging(event.metadata ?? [:]) { $1 }
    let pairs = merged.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let text = Self.oneLine("\(event.message)\(pairs)")
    let line = isJournal ? "<\(event.level.priority)>\(text)\n" : "\(program): \(event.level.word)\(text)\n"
    var octets = Array(line.utf8)[...]
    while !octets.isEmpty {
      let written = octets.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written < 0 && errno != EINTR { return }
      octets = octets.dropFirst(max(0, written))
    }
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  private static func oneLine(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars { line.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7f ? " " : scalar) }
    return line
  }
}

extension Logger.Level {
  /// Of syslog(3), which systemd reads (sd-daemon(3)).
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
