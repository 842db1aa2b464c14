import Glibc

/// Standard output or standard error: what it is, and whole texts written to it.
public struct TerminalOutput: Sendable {
  private let descriptor: Int32
  public let isTerminal: Bool
  public let style: TerminalStyle

  public static let standardOutput = TerminalOutput(STDOUT_FILENO)
  public static let standardError = TerminalOutput(STDERR_FILENO)

  /// - Parameter descriptor: stays the caller's.
  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    style = TerminalStyle(isTerminal: isTerminal) { name in getenv(name).map { String(cString: $0) } }
  }

  /// Asks anew each time: SIGWINCH says when it has changed. `usual` where there is no window.
  public var size: TerminalSize {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return .usual }
    return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }

  /// Columns that a line of text should fit; nil for what is no terminal, whose reader wants lines as they are.
  public var width: Int? { isTerminal ? size.columns : nil }

  /// How people read times there: in local time on a terminal, else in UTC.
  public func timeFormat(isUTC: Bool) -> TimeFormat { isTerminal && !isUTC ? .local : .utc }

  /// Whether this process may paint: false while a shell has it in the background.
  public var isInForeground: Bool {
    let foreground = tcgetpgrp(descriptor)
    // Not this process' terminal, so no shell has a say.
    return foreground < 0 || foreground == getpgrp()
  }

  /// Stops this process as Ctrl-Z does, with SIGTSTP blocked or not, and returns when it goes on: at once where no shell could continue it.
  public static func suspend() {
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    // An orphaned process group is not stopped by this signal, and would be by SIGSTOP (POSIX.1-2017, 2.4.3).
    raise(SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Lets a write to a reader that went away fail with `OutputError.closed` instead of ending the process. For the start of a program.
  public static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Writes all of `text`, and waits where the reader is slow.
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
