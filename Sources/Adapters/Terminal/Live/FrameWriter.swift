import EventLoop
import Glibc

/// A writer to a terminal that never waits: octets that the terminal does not take at once follow when it is ready.
///
/// The terminal is opened a second time, because O_NONBLOCK belongs to the open file, which the shell shares.
final class FrameWriter {
  private let loop: Loop
  private let file: FileDescriptor
  private var pending: [UInt8] = []
  private var source: IOSource?
  /// The callback when everything is written.
  var onIdle: () -> Void = {}

  /// Returns nil if the terminal cannot be opened again, such as that of another user.
  init?(_ loop: Loop, terminal descriptor: Int32) {
    let number = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return nil }
    self.loop = loop
    file = FileDescriptor(owning: number)
  }

  deinit {
    source?.cancel()
  }

  var isIdle: Bool { pending.isEmpty }

  /// Writes a text, or the part that the terminal takes now.
  func write(_ text: String) throws(OutputError) {
    pending += text.utf8
    try drain()
    if !pending.isEmpty, source == nil { watch() }
  }

  /// Waits until everything is written, at most for a time, because Ctrl-S may have stopped the terminal.
  func flush(milliseconds: Int32) throws(OutputError) {
    var rounds = 0
    while !pending.isEmpty, rounds < 10 {
      var ready = pollfd(fd: file.number, events: Int16(POLLOUT), revents: 0)
      _ = poll(&ready, 1, milliseconds / 10)
      rounds += 1
      try drain()
    }
    pending = []
    source?.cancel()
    source = nil
  }

  private func drain() throws(OutputError) {
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      if count >= 0 {
        pending.removeFirst(count)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: return
      case let code: throw .failed(code: code)
      }
    }
  }

  private func watch() {
    do throws(SystemCallError) {
      source = try loop.io(file.number, .writable) { [weak self] _ in self?.proceed() }
    } catch {
      // The rest is dropped; the next frame is a whole one again.
      pending = []
    }
  }

  private func proceed() {
    do throws(OutputError) {
      try drain()
    } catch {
      // The next frame reports the error.
      pending = []
    }
    guard pending.isEmpty else { return }
    source?.cancel()
    source = nil
    onIdle()
  }
}
