import EventLoop
import Glibc

/// A serial line of which the test holds the receiver's end.
public final class PseudoTerminal {
  /// Of the end that a program opens.
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
    // gpsd opens it as nobody.
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
}
