import CLinux
import Glibc

/// Wakes a loop from any thread; several signals before the loop looks become one call there. eventfd(2).
public struct WakeUp: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  public init() throws(SystemCallError) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw .last("eventfd") }
    descriptor = FileDescriptor(owning: raw)
  }

  public borrowing func send() {
    // Fails only when 2^64 - 2 are unread, and then the loop wakes anyway.
    eventfd_write(descriptor.number, 1)
  }

  /// Creates the source; its descriptor belongs to this value, which must outlive it.
  public borrowing func source(on loop: Loop, _ body: @escaping () -> Void) throws(SystemCallError) -> IOSource {
    let number = descriptor.number
    return try loop.io(number, .readable) { _ in
      var count: eventfd_t = 0
      eventfd_read(number, &count)
      body()
    }
  }
}
