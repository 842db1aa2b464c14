import EventLoop
import Glibc

/// The lines of standard input, one at a time, until its end or a signal.
public final class AnswerInput {
  public enum Answer: Hashable, Sendable {
    case line(String)
    /// The input has ended.
    case end
    /// Ctrl-C, or a signal that ends programs.
    case interrupted
  }

  /// The longest line, so that a binary file does not fill the memory.
  static let longestLine = 1 << 16

  private let loop: Loop
  private var signals: [SignalSource] = []
  private var octets: [UInt8] = []
  private var hasEnded = false
  private var isInterrupted = false

  /// Whether the terminal shows the answers itself.
  public var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  public init() throws(SystemCallError) {
    loop = try Loop()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signals.append(
        try loop.signal(number) { [unowned self] in
          isInterrupted = true
          loop.stop()
        })
    }
  }

  /// Waits for the next line, without its end.
  public func next() throws(SystemCallError) -> Answer {
    while true {
      if isInterrupted { return .interrupted }
      if let end = octets.firstIndex(of: UInt8(ascii: "\n")) {
        defer { octets.removeSubrange(...end) }
        return .line(String(decoding: octets[..<end], as: UTF8.self))
      }
      if hasEnded {
        guard !octets.isEmpty else { return .end }
        defer { octets = [] }
        return .line(String(decoding: octets, as: UTF8.self))
      }
      try wait()
      guard !isInterrupted else { continue }
      read()
    }
  }

  /// Waits until there is input, or a signal.
  private func wait() throws(SystemCallError) {
    let source: IOSource
    do throws(SystemCallError) {
      source = try loop.io(STDIN_FILENO, .readable) { [loop] _ in loop.stop() }
    } catch {
      // A regular file and /dev/null are always ready, epoll_ctl(2).
      guard error.code == EPERM else { throw error }
      return
    }
    defer { source.cancel() }
    _ = try loop.run()
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0, octets.count + count <= Self.longestLine else {
      hasEnded = true
      return
    }
    octets += chunk[..<count]
  }
}
