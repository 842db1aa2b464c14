import EventLoop
import Glibc
import Instants

/// The keys of a terminal, one at a time and without an echo, while this program is in the foreground.
///
/// Ctrl-C, Ctrl-Z and Ctrl-\ stay signals.
final class Keyboard {
  private let loop: Loop
  private let descriptor: Int32
  /// The original mode of the terminal; nil while it is unchanged.
  private var saved: termios?
  private var source: IOSource?
  private var decoder = KeyDecoder()
  private let onKeys: ([TerminalKey]) -> Void
  private let onHangUp: () -> Void
  /// The time without another octet after which an escape is a key, not the start of a sequence, even over a slow line.
  private static let escapeTime = Span.milliseconds(100)
  private lazy var escape = loop.timer { [unowned self] in
    let keys = decoder.flush()
    if !keys.isEmpty { onKeys(keys) }
  }

  init(_ loop: Loop, terminal descriptor: Int32, onKeys: @escaping ([TerminalKey]) -> Void, onHangUp: @escaping () -> Void) {
    (self.loop, self.descriptor, self.onKeys, self.onHangUp) = (loop, descriptor, onKeys, onHangUp)
  }

  deinit {
    restore()
  }

  /// Whether this program has the terminal; otherwise the shell or another job has it.
  private var isInForeground: Bool { TerminalOutput(descriptor).isInForeground }

  /// Takes the keys, if that is possible and not done yet.
  func take() {
    guard saved == nil, isInForeground else { return }
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else { return }
    guard setRaw(before) else { return }
    do throws(SystemCallError) {
      source = try loop.io(descriptor, .readable) { [weak self] in self?.read($0) }
      saved = before
    } catch {
      _ = tcsetattr(descriptor, TCSADRAIN, &before)
    }
  }

  /// Sets the mode again, which a shell may have changed while this program was stopped by another signal than Ctrl-Z.
  func renew() {
    if let saved, isInForeground { _ = setRaw(saved) }
  }

  /// Sets a mode without an echo and without lines.
  private func setRaw(_ before: termios) -> Bool {
    var mode = before
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // VMIN and VTIME: a read returns what is there.
    withUnsafeMutableBytes(of: &mode.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
    return tcsetattr(descriptor, TCSADRAIN, &mode) == 0
  }

  /// Restores the original mode of the terminal.
  func restore() {
    forget()
    guard var mode = saved else { return }
    saved = nil
    // In the background this would stop the program, and the shell uses its own mode.
    if isInForeground { _ = tcsetattr(descriptor, TCSADRAIN, &mode) }
  }

  /// Stops reading, because the shell has the terminal and has changed its mode.
  func lose() {
    forget()
    saved = nil
  }

  private func forget() {
    source?.cancel()
    source = nil
    escape.disarm()
    decoder = KeyDecoder()
  }

  private func read(_ events: IOEvents) {
    // A read in the background would stop the program.
    guard isInForeground else { return lose() }
    var octets = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &octets, octets.count)
    guard count > 0 else {
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      forget()
      return onHangUp()
    }
    let keys = decoder.decode(octets.prefix(count))
    decoder.isWaiting ? escape.arm(after: Self.escapeTime) : escape.disarm()
    if !keys.isEmpty { onKeys(keys) }
  }
}
