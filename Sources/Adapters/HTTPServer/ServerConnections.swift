internal import CMicroHTTPD
import EventLoop
import Glibc
import Instants

/// The open connections of a server with their deadlines, and the responses to their requests.
///
/// It outlives the calls of the library.
final class ServerConnections {
  let library: microhttpd_library
  /// The functions that the library calls, in memory that does not move.
  let callbacks: UnsafeMutablePointer<microhttpd_callbacks>
  /// The daemon of the library; nil before its start and after its end.
  var daemon: OpaquePointer?
  private let loop: Loop
  private let lifetime: Span
  private let isPort: Bool
  private let respond: (HTTPServerRequest) -> HTTPServerResponse
  private var deadlines: [OpaquePointer: Instant] = [:]
  /// Whether a connection has ended since the library was last called.
  private var hasEnded = false
  private lazy var timer = loop.timer { [unowned self] in run() }

  init(
    _ loop: Loop, _ library: microhttpd_library, lifetime: Span, isPort: Bool,
    _ respond: @escaping (HTTPServerRequest) -> HTTPServerResponse
  ) {
    (self.loop, self.library, self.lifetime, self.isPort, self.respond) = (loop, library, lifetime, isPort, respond)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(
      to: microhttpd_callbacks(answer: answerRequest, changed: connectionChanged, context: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    callbacks.deinitialize(count: 1)
    callbacks.deallocate()
  }

  /// Stops working; the daemon may be stopped afterwards.
  func end() {
    daemon = nil
    timer.disarm()
  }

  /// Handles the ready connections, and ends those that have lasted too long.
  func run() {
    guard let daemon else { return }
    let now = loop.now
    for (connection, deadline) in deadlines where deadline <= now {
      // The library sees the end of the stream and closes the connection.
      shutdown(microhttpd_library_socket(library, connection), Int32(SHUT_RDWR))
      deadlines[connection] = .never
    }
    hasEnded = false
    var pause = microhttpd_library_run(library, daemon)
    // At its limit the library stops listening, and listens again only with the next call after the end of a connection.
    if hasEnded { pause = 0 }
    let next = deadlines.values.min() ?? .never
    timer.arm(at: pause < 0 ? next : min(next, loop.now + .milliseconds(pause)))
  }

  fileprivate func note(_ connection: OpaquePointer, hasBegun: Bool) {
    deadlines[connection] = hasBegun ? loop.now + lifetime : nil
    if !hasBegun { hasEnded = true }
  }

  /// Answers a request; returns false if there is no memory.
  fileprivate func answer(_ connection: OpaquePointer, _ method: String, _ path: String) -> Bool {
    let response = response(connection, method, path)
    var body = response.body
    return body.withUTF8 {
      microhttpd_library_respond(library, connection, UInt32(response.status), response.contentType, $0.baseAddress, $0.count)
    } != 0
  }

  private func response(_ connection: OpaquePointer, _ method: String, _ path: String) -> HTTPServerResponse {
    guard method == "GET" || method == "HEAD" else { return HTTPServerResponse(status: 405, "only GET and HEAD are supported\n") }
    // A page of another host whose name was changed to this address must not read the answer (DNS rebinding).
    if isPort, let host = microhttpd_library_header(library, connection, "Host"), !String(cString: host).isLoopbackHost {
      return HTTPServerResponse(status: 421, "the host of the request is not this machine\n")
    }
    return respond(HTTPServerRequest(path: path))
  }
}

extension String {
  /// Whether the value of a Host header names this machine: `localhost`, `127.0.0.1` or `[::1]`, with a port or without.
  var isLoopbackHost: Bool {
    let host = hasPrefix("[") ? prefix { $0 != "]" } + "]" : prefix { $0 != ":" }
    return host.lowercased() == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
  }
}

private func answerRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ method: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  guard let context, let connection, let method, let path else { return 0 }
  let connections = Unmanaged<ServerConnections>.fromOpaque(context).takeUnretainedValue()
  return connections.answer(connection, String(cString: method), String(cString: path)) ? 1 : 0
}

private func connectionChanged(_ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ hasBegun: Int32) {
  guard let context, let connection else { return }
  Unmanaged<ServerConnections>.fromOpaque(context).takeUnretainedValue().note(connection, hasBegun: hasBegun != 0)
}
