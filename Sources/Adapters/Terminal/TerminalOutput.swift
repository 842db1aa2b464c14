import Glibc

/// Standard output or standard error: its properties, and functions that write whole texts to it.
public struct TerminalOutput: Sendable {
  let descriptor: Int32
  public let isTerminal: Bool
  public let style: TerminalStyle

  public static let standardOutput = TerminalOutput(STDOUT_FILENO)
  public static let standardError = TerminalOutput(STDERR_FILENO)

  /// - Parameter descriptor: the descriptor of the output, which the caller keeps and closes.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    style = TerminalStyle(isTerminal: isTerminal) { name in getenv(name).map { String(cString: $0) } }
  }

  /// The present size of the window, read each time; `usual` without a window. SIGWINCH reports changes.
  public var size: TerminalSize {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return .usual }
    return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// The columns that a line of text should fit; nil if the output is not a terminal, whose reader needs unwrapped lines.
  public var width: Int? { isTerminal ? size.columns : nil }

  /// Returns the time format for readers of this output: local time on a terminal, else UTC.
  public func timeFormat(isUTC: Bool) -> TimeFormat { isTerminal && !isUTC ? .local : .utc }

  /// Whether this process may paint: false while a shell has it in the background.
  public var isInForeground: Bool {
    let foreground = tcgetpgrp(descriptor)
    // Another process's terminal: no shell controls this process there.
    return foreground < 0 || foreground == getpgrp()
  }

  /// Whether the terminal takes output at present.
  var isReady: Bool {
    var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, 0) > 0
  }

  /// Stops this process as Ctrl-Z does, with SIGTSTP blocked or not, and returns when it continues.
  /// It returns at once if there is no shell that could continue the process.
  public static func suspend() {
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    // An orphaned process group is not stopped by this signal, and would be by SIGSTOP (POSIX.1-2017, 2.4.3).
    raise(SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Makes a write to a closed pipe fail with `OutputError.closed` instead of ending the process; call at the start.
  public static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Writes all of `text`, and waits for a slow reader.
  public func write(_ text: String) throws(OutputError) {
    try Self.write(Array(text.utf8).span.bytes, to: descriptor)
  }

  static func write(_ octets: RawSpan, to descriptor: Int32) throws(OutputError) {
    var rest = octets
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.extracting(droppingFirst: count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      case EPIPE: throw .closed
      case let code: throw .failed(code: code)
      }
    }
  }
}

/// The size of a terminal's window, in characters.
public struct TerminalSize: Hashable, Sendable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The size of a terminal that does not report one.
  public static let usual = TerminalSize(columns: 80, rows: 24)
}
