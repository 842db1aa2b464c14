internal import CMicroHTTPD
import EventLoop
import Glibc
import HTTPMessages
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
  private let limits: HTTPServerLimits
  private let isOwnHost: (String) -> Bool
  private let commonHeaders: [(name: String, value: String)]
  private let respond: HTTPServer.Responder
  private var deadlines: [OpaquePointer: Instant] = [:]
  /// The content of requests that have not arrived as a whole.
  private var contents: [OpaquePointer: [UInt8]] = [:]
  private var streams: [OpaquePointer: OpenStream] = [:]
  /// The requests whose answers are not there yet. Their connections are suspended.
  private var waiting: [OpaquePointer: PendingAnswer] = [:]
  /// Whether a connection has ended, or a stream has new octets, since the library was last called.
  private var isDue = false
  private lazy var timer = loop.timer { [unowned self] in run() }

  init(
    _ loop: Loop, _ library: microhttpd_library, _ limits: HTTPServerLimits, isOwnHost: @escaping (String) -> Bool,
    headers: [(name: String, value: String)], _ respond: @escaping HTTPServer.Responder
  ) {
    (self.loop, self.library, self.limits, self.isOwnHost) = (loop, library, limits, isOwnHost)
    (commonHeaders, self.respond) = (headers, respond)
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(
      to: microhttpd_callbacks(
        awaits_content: requestBegins, content: contentArrives, answer: answerRequest, changed: connectionChanged,
        context: Unmanaged.passUnretained(self).toOpaque()))
  }

  deinit {
    callbacks.deinitialize(count: 1)
    callbacks.deallocate()
  }

  /// Stops working; the daemon may be stopped afterwards.
  func end() {
    // The library cannot stop while a connection is suspended.
    for stream in streams.values { stream.resume() }
    for (connection, pending) in waiting {
      if pending.response == nil { library.resume_connection(connection) }
      pending.abandon()
    }
    daemon = nil
    timer.disarm()
  }

  /// Handles the ready connections, and ends those that have lasted too long.
  func run() {
    guard let daemon else { return }
    let now = loop.now
    for (connection, deadline) in deadlines where deadline <= now {
      if let pending = waiting[connection], pending.response == nil {
        // The library does not see the end of a suspended connection.
        deadlines[connection] = now + limits.duration
        pending.give(HTTPServerResponse(status: 504, "the answer took too long; try again\n"))
        continue
      }
      // The library sees the end of the stream and closes the connection.
      shutdown(microhttpd_library_socket(library, connection), Int32(SHUT_RDWR))
      deadlines[connection] = .never
    }
    isDue = false
    var pause = microhttpd_library_run(library, daemon)
    // At its limit the library stops listening, and listens again only with the next call after the end of a connection.
    if isDue { pause = 0 }
    let next = deadlines.values.min() ?? .never
    timer.arm(at: pause < 0 ? next : min(next, loop.now + .milliseconds(pause)))
  }

  fileprivate func note(_ connection: OpaquePointer, hasBegun: Bool) {
    deadlines[connection] = hasBegun ? loop.now + limits.duration : nil
    guard !hasBegun else { return }
    contents[connection] = nil
    waiting.removeValue(forKey: connection)?.abandon()
    isDue = true
    guard let stream = streams.removeValue(forKey: connection)?.stream else { return }
    stream.onChange = {}
    stream.end()
    // Not in the middle of a call of the library.
    loop.enqueue { stream.onEnd() }
  }

  /// Whether the content of a request is received before it is answered.
  fileprivate func awaitsContent(_ connection: OpaquePointer, _ method: String) -> Bool {
    switch HTTPServerRequest.Method(rawValue: method) {
    case .get, .head: return true
    case .post:
      // A request that states too much is refused before it is sent.
      let stated = microhttpd_library_header(library, connection, "Content-Length").flatMap { Int(String(cString: $0)) } ?? 0
      return stated <= limits.contentSize && limits.contentSize > 0
    case nil: return false
    }
  }

  fileprivate func take(_ octets: UnsafeRawBufferPointer, of connection: OpaquePointer) -> Bool {
    guard (contents[connection]?.count ?? 0) + octets.count <= limits.contentSize else { return limits.contentSize == 0 }
    contents[connection, default: []] += octets
    return true
  }

  /// Answers a request, now or when its answer is there; returns false if there is no memory.
  fileprivate func answer(_ connection: OpaquePointer, _ method: String, _ path: String) -> Bool {
    let pending = waiting.removeValue(forKey: connection) ?? request(connection, method, path)
    if let response = pending.response { return queue(response, connection) }
    waiting[connection] = pending
    library.suspend_connection(connection)
    pending.onAnswer = { [unowned self] in
      library.resume_connection(connection)
      runSoon()
    }
    return true
  }

  private func queue(_ answer: HTTPServerResponse, _ connection: OpaquePointer) -> Bool {
    let response: OpaquePointer?
    switch answer.body {
    case .text(var text): response = text.withUTF8 { microhttpd_library_response(library, $0.baseAddress, $0.count) }
    case .file(let file): response = send(file)
    case .events(let stream): response = open(stream, connection)
    }
    guard let response else { return false }
    for header in answer.headers { _ = library.add_response_header(response, header.name, header.value) }
    for header in commonHeaders where answer.header(header.name) == nil {
      _ = library.add_response_header(response, header.name, header.value)
    }
    return microhttpd_library_queue(library, connection, UInt32(answer.status), response) != 0
  }

  private func send(_ file: HTTPServerFile) -> OpaquePointer? {
    guard let descriptor = file.take() else { return nil }
    let response = microhttpd_library_file(library, descriptor, UInt64(file.size))
    if response == nil { close(descriptor) }
    return response
  }

  /// Passes a request on unless it is refused here.
  private func request(_ connection: OpaquePointer, _ method: String, _ path: String) -> PendingAnswer {
    let pending = PendingAnswer(loop)
    let method = HTTPServerRequest.Method(rawValue: method)
    guard let method, method != .post || limits.contentSize > 0 else {
      let allowed = limits.contentSize > 0 ? "GET, HEAD, POST" : "GET, HEAD"
      let names = limits.contentSize > 0 ? "GET, HEAD and POST" : "GET and HEAD"
      pending.give(HTTPServerResponse(status: 405, headers: [("Allow", allowed)], "only \(names) are supported\n"))
      return pending
    }
    // A page of another host whose name was changed to this address must not read the answer (DNS rebinding).
    if let host = microhttpd_library_header(library, connection, "Host"), !isOwnHost(String(cString: host)) {
      pending.give(HTTPServerResponse(status: 421, "the host of the request is not this machine\n"))
      return pending
    }
    if method == .post, !awaitsContent(connection, "POST") {
      pending.give(HTTPServerResponse(status: 413, "the content is larger than \(limits.contentSize) octets\n"))
      return pending
    }
    let library = library
    respond(
      HTTPServerRequest(
        method: method, path: path, content: contents.removeValue(forKey: connection) ?? [], client: client(of: connection),
        findHeader: { microhttpd_library_header(library, connection, $0).map { String(cString: $0) } },
        findHeaders: { name in
          var values: [String] = []
          while let value = microhttpd_library_header_at(library, connection, name, UInt32(values.count)) {
            values.append(String(cString: value))
          }
          return values
        },
        findArgument: { microhttpd_library_argument(library, connection, $0).map { String(cString: $0) } }
      ), pending.give)
    return pending
  }

  private func client(of connection: OpaquePointer) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
      let address = microhttpd_library_client(library, connection, text.baseAddress, UInt32(text.count)).map { String(cString: $0) }
      // A socket for IPv6 and IPv4 shows an address of IPv4 as ::ffff:192.0.2.1 (RFC 4291, 2.5.5.2).
      return address.map { $0.hasPrefix("::ffff:") && $0.contains(".") ? String($0.dropFirst("::ffff:".count)) : $0 }
    }
  }

  /// Calls the library after the present callback, once.
  private func runSoon() {
    guard !isDue else { return }
    isDue = true
    loop.enqueue { [weak self] in self?.run() }
  }

  // MARK: Streams

  private func open(_ stream: EventStream, _ connection: OpaquePointer) -> OpaquePointer? {
    let opened = OpenStream(stream, library, connection)
    guard let response = microhttpd_library_stream(library, readStream, Unmanaged.passUnretained(opened).toOpaque()) else { return nil }
    streams[connection] = opened
    deadlines[connection] = .never
    microhttpd_library_set_idle(library, connection, UInt32(max(1, limits.streamIdle.microseconds / 1_000_000)))
    stream.onChange = { [unowned self, unowned opened, unowned stream] in
      // A client that does not read must not keep a stream that has ended.
      if stream.isEnded { deadlines[connection] = loop.now + limits.duration }
      opened.resume()
      // Events of one turn are sent together.
      runSoon()
    }
    return response
  }
}

private func answerRequest(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ method: UnsafePointer<CChar>?, _ path: UnsafePointer<CChar>?
) -> Int32 {
  guard let context, let connection, let method, let path else { return 0 }
  let connections = Unmanaged<ServerConnections>.fromOpaque(context).takeUnretainedValue()
  return connections.answer(connection, String(cString: method), String(cString: path)) ? 1 : 0
}

private func requestBegins(_ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ method: UnsafePointer<CChar>?) -> Int32 {
  guard let context, let connection, let method else { return 0 }
  return Unmanaged<ServerConnections>.fromOpaque(context).takeUnretainedValue().awaitsContent(connection, String(cString: method)) ? 1 : 0
}

private func contentArrives(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ octets: UnsafePointer<CChar>?, _ size: Int
) -> Int32 {
  guard let context, let connection, let octets else { return 0 }
  let connections = Unmanaged<ServerConnections>.fromOpaque(context).takeUnretainedValue()
  return connections.take(UnsafeRawBufferPointer(start: octets, count: size), of: connection) ? 1 : 0
}

private func connectionChanged(_ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ hasBegun: Int32) {
  guard let context, let connection else { return }
  Unmanaged<ServerConnections>.fromOpaque(context).takeUnretainedValue().note(connection, hasBegun: hasBegun != 0)
}
