import CLinux
import Glibc

/// Wakes a loop from any thread: however often it is sent before the loop looks, it is one call there. eventfd(2).
public struct WakeUp: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  public init() throws(SystemCallError) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw .last("eventfd") }
    descriptor = FileDescriptor(owning: raw)
  }

  public borrowing func send() {
    // Fails only when 2^64 - 2 are unread, and then the loop wakes all the same.
    eventfd_write(descriptor.number, 1)
  }

  /// The descriptor is this value's, which has to outlive the source.
  public borrowing func source(on loop: Loop, _ body: @escaping () -> Void) throws(SystemCallError) -> IOSource {
    let number = descriptor.number
    return try loop.io(number, .readable) { _ in
      var count: eventfd_t = 0
      eventfd_read(number, &count)
      body()
    }
  }
}
