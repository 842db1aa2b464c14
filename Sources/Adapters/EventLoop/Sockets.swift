import Glibc

/// Connects to Unix sockets: unix(7).
public enum LocalSocket {
  /// Connects without waiting; the descriptor does not block. Throws EAGAIN if the backlog of the other side is full.
  ///
  /// - Parameter path: the octets of sun_path; those of an abstract socket begin with NUL.
  public static func connect(to path: [UInt8]) throws(SystemCallError) -> FileDescriptor {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    let name = { String(decoding: path, as: UTF8.self) }
    guard path.count < capacity else { throw SystemCallError(call: "connect", subject: name(), code: ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw .last("socket") }
    let descriptor = FileDescriptor(owning: raw)
    // An abstract name ends where the length says, a path at its NUL.
    let length = MemoryLayout<sockaddr_un>.size - capacity + path.count + (path.first == 0 ? 0 : 1)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(raw, $0, socklen_t(length)) }
    }
    guard result == 0 else { throw .last("connect", name()) }
    return descriptor
  }
}

/// The options of a TCP connection: tcp(7).
public enum TCPSocket {
  /// Acknowledges the received data at once; call it each time that data is ready to read.
  ///
  /// A peer with Nagle's algorithm, as most brokers and small web servers have, sends the second of two small pieces after the
  /// acknowledgement of the first. By default the kernel delays that by 40 ms, to send it along with other data. TCP_QUICKACK does not
  /// last.
  public static func acknowledgeAtOnce(_ descriptor: Int32) {
    var on: Int32 = 1
    // A descriptor that is not a TCP socket refuses the option and works all the same.
    _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_QUICKACK, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Returns the number of octets that the kernel has received on a connection; nil for another descriptor.
  public static func receivedOctets(_ descriptor: Int32) -> UInt64? {
    // tcpi_bytes_received of struct tcp_info in linux/tcp.h, which the header of glibc does not have.
    let offset = 128
    var info = [UInt8](repeating: 0, count: offset + MemoryLayout<UInt64>.size)
    var size = socklen_t(info.count)
    guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size) == 0, Int(size) == info.count else { return nil }
    return info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
  }
}
