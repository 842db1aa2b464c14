import EventLoop
import Glibc
import LocalEndpoints

/// A socket that listens on a local endpoint. The file of a Unix socket is removed with it.
final class ListeningSocket {
  /// The connections that wait to be accepted.
  private static let backlog: Int32 = 16

  private let endpoint: ServerEndpoint
  private let descriptor: FileDescriptor
  /// The device and the inode of the file of a Unix socket.
  private var file: (device: dev_t, inode: ino_t)?

  /// Opens the socket. A file that a program has left behind is replaced; throws EADDRINUSE if a program listens there.
  init(_ endpoint: ServerEndpoint) throws(SystemCallError) {
    self.endpoint = endpoint
    switch endpoint {
    case .local(.socket(let path, let access)):
      try Self.removeAbandoned(path)
      descriptor = try Self.listen(at: path, access)
      file = Self.identity(path)
    case .local(.port(let address, let port)): descriptor = try Self.listen(at: address, port)
    case .network(let host, let port): descriptor = try Self.listen(at: host, port)
    }
  }

  deinit {
    if case .local(.socket(let path, _)) = endpoint, isInPlace { unlink(path) }
  }

  /// Returns another descriptor of the socket, which the caller closes; nil if there are too many.
  func copyOfDescriptor() -> Int32? {
    let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    return copy < 0 ? nil : copy
  }

  /// Whether clients still find the socket. Another program may have removed or replaced the file.
  var isInPlace: Bool {
    guard case .local(.socket(let path, _)) = endpoint else { return true }
    guard let file, let present = Self.identity(path) else { return false }
    return present == file
  }

  private static func identity(_ path: String) -> (device: dev_t, inode: ino_t)? {
    var status = stat()
    return lstat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
  }

  // MARK: Unix sockets

  private static func removeAbandoned(_ path: String) throws(SystemCallError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemCallError(call: "bind", subject: path, code: EEXIST) }
    do throws(SystemCallError) {
      _ = try LocalSocket.connect(to: Array(path.utf8))
    } catch {
      // A living program with many waiting connections refuses with EAGAIN.
      guard error.code == ECONNREFUSED else {
        throw SystemCallError(call: "bind", subject: path, code: error.code == EAGAIN ? EADDRINUSE : error.code)
      }
      guard unlink(path) == 0 || errno == ENOENT else { throw .last("unlink", path) }
      return
    }
    throw SystemCallError(call: "bind", subject: path, code: EADDRINUSE)
  }

  private static func listen(at path: String, _ access: SocketAccess) throws(SystemCallError) -> FileDescriptor {
    let descriptor = try socket(AF_UNIX)
    // The file begins with this mode, so that no other user can connect before its mode is set.
    guard fchmod(descriptor.number, 0o600) == 0 else { throw .last("fchmod", path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemCallError(call: "bind", subject: path, code: ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try bind(descriptor, &address, path)
    guard chmod(path, access.mode) == 0 else {
      let error = SystemCallError.last("chmod", path)
      unlink(path)
      throw error
    }
    guard Glibc.listen(descriptor.number, backlog) == 0 else { throw .last("listen", path) }
    return descriptor
  }

  // MARK: Ports

  private static func listen(at address: LoopbackAddress, _ port: UInt16) throws(SystemCallError) -> FileDescriptor {
    let name = "\(address):\(port)"
    let descriptor: FileDescriptor
    switch address {
    case .ipv4(let a, let b, let c, let d):
      descriptor = try socket(AF_INET)
      try reuse(descriptor, name)
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      place.sin_addr.s_addr = (UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d)).bigEndian
      try bind(descriptor, &place, name)
    case .ipv6:
      descriptor = try socket(AF_INET6)
      try reuse(descriptor, name)
      var place = sockaddr_in6()
      place.sin6_family = sa_family_t(AF_INET6)
      place.sin6_port = port.bigEndian
      place.sin6_addr = in6addr_loopback
      try bind(descriptor, &place, name)
    }
    guard Glibc.listen(descriptor.number, backlog) == 0 else { throw .last("listen", name) }
    return descriptor
  }

  /// Listens at a numeric address, an IPv6 one in brackets.
  private static func listen(at host: String, _ port: UInt16) throws(SystemCallError) -> FileDescriptor {
    let name = "\(host):\(port)"
    let descriptor: FileDescriptor
    if host.hasPrefix("[") {
      var place = sockaddr_in6()
      place.sin6_family = sa_family_t(AF_INET6)
      place.sin6_port = port.bigEndian
      guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &place.sin6_addr) == 1 else {
        throw SystemCallError(call: "bind", subject: name, code: EADDRNOTAVAIL)
      }
      descriptor = try socket(AF_INET6)
      try reuse(descriptor, name)
      try bind(descriptor, &place, name)
    } else {
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      guard inet_pton(AF_INET, host, &place.sin_addr) == 1 else {
        throw SystemCallError(call: "bind", subject: name, code: EADDRNOTAVAIL)
      }
      descriptor = try socket(AF_INET)
      try reuse(descriptor, name)
      try bind(descriptor, &place, name)
    }
    guard Glibc.listen(descriptor.number, backlog) == 0 else { throw .last("listen", name) }
    return descriptor
  }

  /// Permits the address of connections that have just ended.
  private static func reuse(_ descriptor: borrowing FileDescriptor, _ name: String) throws(SystemCallError) {
    var on: Int32 = 1
    guard setsockopt(descriptor.number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
      throw .last("setsockopt", name)
    }
  }

  // MARK: Both

  private static func socket(_ family: Int32) throws(SystemCallError) -> FileDescriptor {
    let raw = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw .last("socket") }
    return FileDescriptor(owning: raw)
  }

  private static func bind<Address>(
    _ descriptor: borrowing FileDescriptor, _ address: inout Address, _ name: String
  ) throws(SystemCallError) {
    let number = descriptor.number
    let result = withUnsafeBytes(of: &address) {
      Glibc.bind(number, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    guard result == 0 else { throw .last("bind", name) }
  }
}
