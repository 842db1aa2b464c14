internal import CMicroHTTPD
import EventLoop
import Glibc
public import HTTPMessages
import Instants
import LocalEndpoints

/// Answers requests over HTTP at a local endpoint, on the loop.
///
/// Each connection has one request. Connections beyond the limit wait in the kernel, and none lasts longer than its limit, whether its
/// client sends nothing, sends slowly, or does not read; a stream of events lasts as long as its client reads. Releasing the server closes
/// all connections.
public final class HTTPServer {
  /// Answers a request with one response, at once or later; called from the loop.
  public typealias Responder = (HTTPServerRequest, _ answer: @escaping (HTTPServerResponse) -> Void) -> Void

  /// A certificate with its chain, and its key, as texts in PEM.
  public struct Encryption: Hashable, Sendable {
    let certificate: String
    let key: String

    public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  private let socket: ListeningSocket
  private let connections: ServerConnections
  private let daemon: OpaquePointer
  private var source: IOSource?

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - isOwnHost: whether the value of a Host header names this server; by default the names of this machine for a port, and every name
  ///     for a socket.
  ///   - headers: headers that every response has unless it states them itself.
  /// - Throws: the reason in one line if the endpoint is in use or the library is missing.
  public init(
    _ loop: Loop, at endpoint: ServerEndpoint, _ limits: HTTPServerLimits = HTTPServerLimits(), encryption: Encryption? = nil,
    isOwnHost: ((String) -> Bool)? = nil,
    headers: [(name: String, value: String)] = [], respond: @escaping Responder
  ) throws(HTTPServerError) {
    var library = microhttpd_library()
    if let problem = microhttpd_library_load(&library) {
      throw HTTPServerError("\(String(cString: problem)); install the Debian package libmicrohttpd12")
    }
    do throws(SystemCallError) { socket = try ListeningSocket(endpoint) } catch { throw HTTPServerError(error, at: endpoint) }
    let isPort = if case .local(.socket) = endpoint { false } else { true }
    let connections = ServerConnections(
      loop, library, limits, isOwnHost: isOwnHost ?? { !isPort || $0.isLoopbackHost }, headers: headers, respond)
    self.connections = connections
    let seconds = UInt32(max(1, limits.idle.microseconds / 1_000_000))
    let bounds = microhttpd_limits(
      connections: UInt32(limits.connections), connections_of_address: UInt32(limits.connectionsOfAddress ?? 0), idle: seconds,
      memory: limits.requestSize)
    guard let descriptor = socket.copyOfDescriptor() else { throw HTTPServerError("\(endpoint): too many open files") }
    let started =
      if let encryption {
        microhttpd_library_start_encrypted(
          library, descriptor, bounds, connections.callbacks, encryption.certificate, encryption.key)
      } else {
        microhttpd_library_start(library, descriptor, bounds, connections.callbacks)
      }
    guard let daemon = started else {
      close(descriptor)
      throw HTTPServerError(
        "\(endpoint): the HTTP server cannot be started" + (encryption == nil ? ": no memory" : "; do certificate and key belong together?")
      )
    }
    self.daemon = daemon
    connections.daemon = daemon
    do throws(SystemCallError) {
      source = try loop.io(microhttpd_library_epoll(library, daemon), .readable) { [unowned connections] _ in connections.run() }
    } catch {
      throw HTTPServerError(error, at: endpoint)
    }
  }

  deinit {
    source?.cancel()
    connections.end()
    connections.library.stop_daemon(daemon)
  }

  /// Whether clients still find the endpoint: another program may have removed or replaced the file of a socket.
  public var isReachable: Bool { socket.isInPlace }
}

/// The reason why a server cannot listen, with its remedy.
public struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  init(_ error: SystemCallError, at endpoint: ServerEndpoint) {
    let advice =
      switch (error.code, endpoint) {
      case (EADDRINUSE, _): "; another program listens there: choose another address, or stop that program"
      case (EEXIST, _): "; the file is not a socket: remove it, or choose another path"
      case (ENOENT, .local(.socket)): "; create the folder, for a unit with RuntimeDirectory="
      case (EACCES, .local(.socket)), (EROFS, .local(.socket)):
        "; choose a folder that the service may write, such as the one of RuntimeDirectory="
      case (EADDRNOTAVAIL, .network): "; this machine has no such address"
      case (EACCES, .network), (EACCES, .local(.port)): "; the service may not listen on a port below 1024: choose another port"
      case (EADDRNOTAVAIL, .local(.port)), (EAFNOSUPPORT, _), (EPERM, _):
        "; the sandbox of the unit has no network: choose the path of a socket, or add a drop-in (monitoring guide)"
      default: ""
      }
    self.init("\(error)\(advice)")
  }
}

extension String {
  /// Whether the value of a Host header names this machine: `localhost`, `127.0.0.1` or `[::1]`, with a port or without.
  fileprivate var isLoopbackHost: Bool {
    let host = hasPrefix("[") ? prefix { $0 != "]" } + "]" : prefix { $0 != ":" }
    return host.lowercased() == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
  }
}
