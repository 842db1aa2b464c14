import EventLoop
import Glibc

/// The lines of standard input, while the loop has other work.
public final class AnswerLines {
  private let loop: Loop
  private let onAnswer: (AnswerInput.Answer) -> Void
  private var source: IOSource?
  private var octets: [UInt8] = []
  private var hasEnded = false

  /// Whether the terminal shows the answers itself.
  public var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// - Parameter onAnswer: takes each line, and the end. It may release this object.
  public init(_ loop: Loop, onAnswer: @escaping (AnswerInput.Answer) -> Void) throws(SystemCallError) {
    (self.loop, self.onAnswer) = (loop, onAnswer)
    do throws(SystemCallError) {
      source = try loop.io(STDIN_FILENO, .readable) { [unowned self] _ in read() }
    } catch {
      // A regular file and /dev/null are always ready, epoll_ctl(2).
      guard error.code == EPERM else { throw error }
      loop.enqueue { [weak self] in self?.readFile() }
    }
  }

  deinit {
    source?.cancel()
  }

  private func readFile() {
    // An answer may release this object.
    withExtendedLifetime(self) { while !hasEnded { read() } }
  }

  private func read() {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    withExtendedLifetime(self) {
      if count > 0, octets.count + count <= AnswerInput.longestLine {
        octets += chunk[..<count]
        while let end = octets.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: octets[..<end], as: UTF8.self)
          octets.removeSubrange(...end)
          onAnswer(.line(line))
        }
      } else {
        hasEnded = true
        source?.cancel()
        source = nil
        if !octets.isEmpty { onAnswer(.line(String(decoding: octets, as: UTF8.self))) }
        onAnswer(.end)
      }
    }
  }
}
