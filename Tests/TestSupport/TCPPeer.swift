import EventLoop
import Glibc
import Instants

/// Somebody on 127.0.0.1 who takes connections, says what the test wants, and keeps what is said to it.
public final class TCPPeer {
  public let port: UInt16
  /// One has come.
  public var onConnection: (TCPPeer) -> Void = { _ in }
  public private(set) var connections = 0
  public private(set) var heard = ""

  private let loop: Loop
  private var listener: Int32
  private var accepting: IOSource?
  private var streams: [OctetStream] = []

  /// - Parameter port: 0 for any that is free.
  public init(_ loop: Loop, port: UInt16 = 0) throws {
    self.loop = loop
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var on: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isReady = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isReady else { throw SystemCallError.last("bind") }
    self.port = UInt16(bigEndian: address.sin_port)
    accepting = try loop.io(listener, .readable) { [unowned self] _ in take() }
  }

  deinit {
    accepting?.cancel()
    close(listener)
  }

  /// To everybody who is connected.
  public func say(_ text: String) {
    for stream in streams { stream.send(Array(text.utf8)) }
  }

  /// Ends all connections.
  public func hangUp() {
    let over = streams
    streams = []
    loop.enqueue { _ = over }
  }

  private func take() {
    let raw = accept(listener, nil, nil)
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
