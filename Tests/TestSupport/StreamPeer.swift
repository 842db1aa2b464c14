import EventLoop
import Glibc
import Instants

/// A server that accepts connections, sends the test's text, and keeps the received text.
public final class StreamPeer {
  /// Runs for each connection.
  public var onConnection: (StreamPeer) -> Void = { _ in }
  public private(set) var connections = 0
  public private(set) var heard = ""

  private let loop: Loop
  private let listener: FileDescriptor
  private var accepting: IOSource?
  private var streams: [OctetStream] = []

  /// Listens on a free TCP port of 127.0.0.1.
  public convenience init(_ loop: Loop) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try self.init(loop, AF_INET, address)
  }

  /// Listens on a Unix socket.
  public convenience init(_ loop: Loop, path: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    try self.init(loop, AF_UNIX, address)
  }

  private init<Address>(_ loop: Loop, _ family: Int32, _ address: Address) throws {
    self.loop = loop
    listener = FileDescriptor(owning: socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0))
    let number = listener.number
    let isReady = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, socklen_t(MemoryLayout<Address>.size)) == 0 }
    }
    guard isReady, listen(number, 8) == 0 else { throw SystemCallError.last("bind") }
    accepting = try loop.io(number, .readable) { [unowned self] _ in take() }
  }

  deinit {
    accepting?.cancel()
  }

  /// The TCP port.
  public var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener.number, $0, &length) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Sends text to every connection.
  public func say(_ text: String) { send(Array(text.utf8)) }

  /// Sends octets to every connection.
  public func send(_ octets: [UInt8]) {
    for stream in streams { stream.send(octets) }
  }

  /// Forgets the received text.
  public func forget() { heard = "" }

  /// Ends all connections.
  public func hangUp() {
    let over = streams
    streams = []
    loop.enqueue { _ = over }
  }

  private func take() {
    let raw = accept(listener.number, nil, nil)
    guard raw >= 0 else { return }
    let connection = FileDescriptor(owning: raw)
    guard (try? connection.setNonBlocking()) != nil, let stream = try? OctetStream(loop, connection) else { return }
    stream.onOctets = { [unowned self] in heard += String(decoding: $0, as: UTF8.self) }
    stream.onEnd = { [unowned self, unowned stream] _ in
      loop.enqueue { [weak self, weak stream] in self?.streams.removeAll { $0 === stream } }
    }
    streams.append(stream)
    connections += 1
    onConnection(self)
  }
}
