import EventLoop
import Glibc

/// A serial line with the test at the receiver's end, or a terminal with the test as the screen.
public final class PseudoTerminal {
  /// The path of the end that a program opens.
  public let path: String
  private let own: Int32

  public init() throws {
    own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // ioctl_tty(2): TIOCSPTLCK unlocks the other end, TIOCGPTN numbers it.
    var (lock, number) = (Int32(0), UInt32(0))
    guard own >= 0, ioctl(own, 0x4004_5431, &lock) == 0, ioctl(own, 0x8004_5430, &number) == 0 else {
      throw SystemCallError.last("open", "/dev/ptmx")
    }
    path = "/dev/pts/\(number)"
    // gpsd drops its rights before it opens the terminal.
    chmod(path, 0o666)
  }

  deinit {
    close(own)
  }

  public func write(_ text: String) {
    let octets = Array(text.utf8)
    let count = Glibc.write(own, octets, octets.count)
    precondition(count == octets.count, "the line is full")
  }

  /// Gives the terminal's window a size, in characters.
  public func resize(columns: UInt16, rows: UInt16 = 24) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    let result = ioctl(own, UInt(TIOCSWINSZ), &size)
    precondition(result == 0, "a terminal has a size")
  }

  /// Returns the output since the last call, waiting up to `milliseconds` for the first of it; nil if none came.
  public func read(within milliseconds: Int32) -> String? {
    var request = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, milliseconds) > 0 else { return nil }
    var octets = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(own, &octets, octets.count)
    // EIO: no process has the other end open any more.
    return count > 0 ? String(decoding: octets.prefix(count), as: UTF8.self) : nil
  }
}
