import Glibc
import Instants

/// Connects to a host by TCP without blocking the loop: looks it up, and tries its addresses one after the other.
/// Releasing or cancelling the dial ends the attempt.
public final class TCPDial {
  /// The reason of a failure, in one line that lists the attempts.
  public struct Failure: Error, Hashable, CustomStringConvertible {
    public let description: String
  }

  private let loop: Loop
  private let port: UInt16
  private let completion: (Result<OctetStream, Failure>) -> Void
  private var lookUp: HostAddresses?
  private var addresses: ArraySlice<String> = []
  private var attempt: Attempt?
  private var isCancelled = false
  private lazy var patience = loop.timer { [unowned self] in attempt?.fail(ETIMEDOUT) }
  /// The time limit for one address.
  private static let timeout = Span.seconds(10)

  /// Starts to connect; `completion` is called once, later and from the loop, and may release the dial.
  public init(_ loop: Loop, host: String, port: UInt16, completion: @escaping (Result<OctetStream, Failure>) -> Void) {
    self.loop = loop
    self.port = port
    self.completion = completion
    lookUp = HostAddresses(of: host, loop) { [unowned self] result in
      guard !isCancelled else { return }
      switch result {
      case .success(let found):
        addresses = found[...]
        next(after: SystemCallError(call: "connect", code: EHOSTUNREACH))
      case .failure(let failure): completion(.failure(Failure(description: failure.description)))
      }
    }
  }

  /// Cancels the dial; `completion` is not called any more, not even in this turn of the loop.
  public func cancel() {
    isCancelled = true
    patience.disarm()
    attempt?.cancel()
  }

  private func next(after error: SystemCallError) {
    patience.disarm()
    attempt = nil
    guard let address = addresses.popFirst() else { return completion(.failure(Failure(description: error.description))) }
    do throws(SystemCallError) {
      attempt = try Attempt(loop, address, port) { [unowned self] in finish($0) }
      patience.arm(after: Self.timeout)
    } catch {
      next(after: error)
    }
  }

  private func finish(_ result: Result<OctetStream, SystemCallError>) {
    switch result {
    case .success(let stream):
      patience.disarm()
      completion(.success(stream))
    case .failure(let error): next(after: error)
    }
  }
}

/// A connection attempt to one address.
private final class Attempt {
  private let loop: Loop
  private let subject: String
  private var socket: FileDescriptor?
  private var io: IOSource?
  private let completion: (Result<OctetStream, SystemCallError>) -> Void

  init(
    _ loop: Loop, _ address: String, _ port: UInt16, completion: @escaping (Result<OctetStream, SystemCallError>) -> Void
  ) throws(SystemCallError) {
    self.loop = loop
    self.completion = completion
    subject = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    // Only numeric addresses: nothing is looked up, so nothing blocks.
    guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let found else {
      throw SystemCallError(call: "connect", subject: subject, code: EINVAL)
    }
    defer { freeaddrinfo(found) }
    let raw = Glibc.socket(found.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw .last("socket") }
    let socket = FileDescriptor(owning: raw)
    Self.keepAlive(socket.number)
    guard connect(socket.number, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 || errno == EINPROGRESS else {
      throw .last("connect", subject)
    }
    io = try loop.io(socket.number, .writable) { [unowned self] _ in finish() }
    self.socket = consume socket
  }

  deinit {
    cancel()
  }

  func cancel() {
    io?.cancel()
  }

  func fail(_ code: Int32) {
    io?.cancel()
    completion(.failure(SystemCallError(call: "connect", subject: subject, code: code)))
  }

  private func finish() {
    guard let socket = socket.take() else { return }
    io?.cancel()
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket.number, SOL_SOCKET, SO_ERROR, &code, &length)
    guard code == 0 else { return fail(code) }
    do throws(SystemCallError) {
      let stream = try OctetStream(loop, socket)
      completion(.success(stream))
    } catch {
      completion(.failure(error))
    }
  }

  /// Enables keep-alive, since a peer that is cut off sends nothing.
  /// The kernel probes after half a minute, and gives up after another.
  private static func keepAlive(_ descriptor: Int32) {
    for (level, option, value) in [(SOL_SOCKET, SO_KEEPALIVE, 1), (6, TCP_KEEPIDLE, 30), (6, TCP_KEEPINTVL, 10), (6, TCP_KEEPCNT, 3)] {
      var value = Int32(value)
      setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}
