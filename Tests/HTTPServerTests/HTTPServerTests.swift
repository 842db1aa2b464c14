import EventLoop
import Foundation
import HTTPMessages
import HTTPServer
import Instants
import LocalEndpoints
import TestSupport
import Testing

@Suite struct HTTPServerTests {
  private let loop: Loop
  private let folder: TemporaryDirectory

  init() throws {
    (loop, folder) = (try Loop(), try TemporaryDirectory())
  }

  private var path: String { folder.file("s.sock") }

  private func server(
    at endpoint: LocalEndpoint? = nil, _ limits: HTTPServerLimits = HTTPServerLimits(),
    respond: @escaping (HTTPServerRequest) -> HTTPServerResponse = { HTTPServerResponse("you asked for \($0.path)\n") }
  ) throws -> HTTPServer {
    try HTTPServer(loop, at: .local(endpoint ?? .socket(path: path, access: .group)), limits) { $1(respond($0)) }
  }

  private func curl(_ arguments: String...) throws -> String {
    let result = try loop.result(of: ["/usr/bin/curl", "-sS", "--max-time", "10", "--unix-socket", path] + arguments)
    return result.output.text
  }

  /// Connects, sends text, and returns everything until the server closes the connection.
  private func exchange(_ text: String, within limit: Span = .seconds(20)) throws -> String {
    let stream = try OctetStream(loop, try LocalSocket.connect(to: Array(path.utf8)))
    var received: [UInt8] = []
    return try loop.value(within: limit) { done in
      stream.onOctets = { received += $0 }
      stream.onEnd = { _ in done(String(decoding: received, as: UTF8.self)) }
      stream.send(Array(text.utf8))
    }
  }

  private static let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test func `GET and HEAD are answered over a socket`() throws {
    let server = try server()
    #expect(try curl("http://localhost/a/b?c=d") == "you asked for /a/b\n")
    let head = try curl("-I", "http://localhost/")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Content-Length: 16\r\n") && head.contains("Connection: close\r\n"))
    _ = server
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "BREW"]) func `any other method is refused`(method: String) throws {
    let server = try server()
    let answer = try curl("-i", "-X", method, "-d", "x=1", "http://localhost/")
    #expect(answer.hasPrefix("HTTP/1.1 405 ") && answer.contains("Allow: GET, HEAD\r\n"))
    _ = server
  }

  @Test(arguments: [("127.0.0.1", LoopbackAddress.ipv4(127, 0, 0, 1)), ("[::1]", .ipv6)])
  func `a port answers requests for this machine only`(host: String, address: LoopbackAddress) throws {
    // The kernel's range of automatic ports begins at 32768.
    let port = UInt16.random(in: 20_000..<30_000)
    let server = try server(at: .port(address, port)) {
      HTTPServerResponse("you asked for \($0.path)\($0.client.map { " from \($0)" } ?? "")\n")
    }
    func get(_ header: String) throws -> String {
      try loop.result(of: ["/usr/bin/curl", "-sS", "--max-time", "10", "-g", "-H", "Host: \(header)", "http://\(host):\(port)/"]).output
        .text
    }
    for header in ["localhost", "LOCALHOST:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)"] {
      #expect(try get(header) == "you asked for / from \(host.filter { !"[]".contains($0) })\n", "\(header)")
    }
    let other = try self.server { HTTPServerResponse("from \($0.client ?? "a socket")\n") }
    #expect(try curl("http://localhost/") == "from a socket\n")
    for header in ["evil.example", "127.evil.example", "localhost.evil.example", "[::2]"] {
      #expect(try get(header) == "the host of the request is not this machine\n", "\(header)")
    }
    _ = (server, other)
  }

  @Test(arguments: SocketAccess.allCases)
  func `the file of a socket has the mode of its access and is removed at the end`(access: SocketAccess) throws {
    var server: HTTPServer? = try server(at: .socket(path: path, access: access))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == access.mode)
    #expect(server?.isReachable == true)
    server = nil
    #expect(stat(path, &status) != 0)
  }

  @Test func `a socket that a crash has left behind is replaced, and one of a living program is not`() throws {
    let abandoned = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(abandoned, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    #expect(bound == 0)
    close(abandoned)
    let server = try server()
    #expect(try curl("http://localhost/") == "you asked for /\n")
    #expect {
      try self.server()
    } throws: { "\($0)".contains("EADDRINUSE") && "\($0)".contains("another program listens there") }
    #expect(try curl("http://localhost/") == "you asked for /\n")
    _ = server
  }

  @Test func `a file that is not a socket stays, and a missing folder is named`() throws {
    try Data("keep".utf8).write(to: URL(fileURLWithPath: path))
    #expect { try server() } throws: { "\($0)".contains("the file is not a socket") }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep")
    #expect { try server(at: .socket(path: "\(folder.path)/no/s.sock", access: .group)) } throws: { "\($0)".contains("create the folder") }
  }

  @Test func `a server notices that its file was removed or replaced`() throws {
    let first = try server()
    unlink(path)
    #expect(!first.isReachable)
    let second = try server()
    #expect(!first.isReachable && second.isReachable)
  }

  @Test(arguments: [
    "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\r\n\r\n\r\n",
    "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  ])
  func `a malformed request ends its connection, and the next one is answered`(text: String) throws {
    var limits = HTTPServerLimits()
    limits.idle = .seconds(1)
    let server = try server(limits)
    _ = try exchange(text)
    #expect(try exchange(Self.request).hasSuffix("you asked for /\n"))
    _ = server
  }

  @Test func `a request with headers above the limit is refused`() throws {
    let server = try server()
    let answer = try exchange("GET / HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n")
    #expect(!answer.contains("200 OK"))
    #expect(try exchange(Self.request).hasSuffix("you asked for /\n"))
    _ = server
  }

  @Test func `clients that send nothing or slowly are disconnected, and others wait for their turn`() throws {
    var limits = HTTPServerLimits()
    (limits.connections, limits.idle, limits.duration) = (2, .seconds(1), .seconds(2))
    let server = try server(limits)
    let silent = try OctetStream(loop, try LocalSocket.connect(to: Array(path.utf8)))
    let slow = try OctetStream(loop, try LocalSocket.connect(to: Array(path.utf8)))
    var ended = 0
    silent.onEnd = { _ in ended += 1 }
    slow.onEnd = { _ in ended += 1 }
    // Each octet is traffic, so only the duration of the connection ends it.
    let drip = Holder<EventLoop.Timer>()
    drip.value = loop.timer {
      slow.send([UInt8(ascii: "G")])
      drip.value?.arm(after: .milliseconds(200))
    }
    drip.value?.arm(after: .zero)
    #expect(try exchange(Self.request).hasSuffix("you asked for /\n"))
    try loop.wait { ended == 2 }
    drip.value = nil
    _ = server
  }

  @Test func `a client that does not read a large answer is disconnected, and costs no turn of the loop meanwhile`() throws {
    var limits = HTTPServerLimits()
    (limits.idle, limits.duration) = (.seconds(1), .seconds(2))
    let body = String(repeating: "x", count: 4 << 20)
    let server = try server(limits) { $0.path == "/" ? HTTPServerResponse(body) : HTTPServerResponse("ok\n") }
    let deaf = try LocalSocket.connect(to: Array(path.utf8))
    let request = Array(Self.request.utf8)
    #expect(write(deaf.number, request, request.count) == request.count)
    #expect(try exchange("GET /a HTTP/1.1\r\nHost: x\r\n\r\n").hasSuffix("ok\n"))
    let before = loop.wakeUps
    // The connection ends after two seconds.
    try loop.run(for: .seconds(4))
    #expect(loop.wakeUps - before < 50)
    // The server has closed the connection, so the rest ends without the whole body.
    try deaf.setNonBlocking()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var received = 0
    while case let count = read(deaf.number, &buffer, buffer.count), count > 0 { received += count }
    #expect(received < body.utf8.count)
    _ = server
  }

  @Test func `an idle server causes no wake-up`() throws {
    let server = try server()
    #expect(try exchange(Self.request).hasSuffix("you asked for /\n"))
    // The end of the connection is already known.
    try loop.run(for: .milliseconds(50))
    let before = loop.wakeUps
    // A timer of the server would fire within the time-outs of a connection, or at once again and again.
    try loop.run(for: .seconds(2))
    // The end of the wait is one.
    #expect(loop.wakeUps - before <= 2)
    _ = server
  }
}
