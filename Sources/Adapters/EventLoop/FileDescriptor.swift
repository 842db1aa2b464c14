import CLinux
import Glibc

/// A descriptor that has one owner and closes with it.
public struct FileDescriptor: ~Copyable, Sendable {
  public let number: Int32

  /// Takes ownership of `number`; no other code may close it from here on.
  public init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Makes reads and writes through this end return EAGAIN instead of waiting.
  /// The flag belongs to the open file, so a child that inherits the other end of a pipe is not affected.
  public borrowing func setNonBlocking() throws(SystemCallError) {
    let flags = fcntl(number, F_GETFL)
    guard flags >= 0, fcntl(number, F_SETFL, flags | O_NONBLOCK) >= 0 else { throw .last("fcntl") }
  }
}

extension FileDescriptor {
  /// Writes all octets to an open file that waits for its reader or its disk.
  public static func write(_ octets: ArraySlice<UInt8>, to number: Int32) throws(SystemCallError) {
    var rest = octets
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last("write") }
      guard count > 0 else { throw SystemCallError(call: "write", code: ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }
}

/// The two ends of a pipe, both close-on-exec and blocking.
struct Pipe: ~Copyable {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .last("pipe2") }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }
}
