import EventLoop
import Foundation
import HTTPMessages
import HTTPServer
import Instants
import LocalEndpoints
import TestSupport
import Testing

/// Contents of requests, and streams of events.
@Suite struct EventStreamTests {
  private let loop: Loop
  private let folder: TemporaryDirectory

  init() throws {
    (loop, folder) = (try Loop(), try TemporaryDirectory())
  }

  private var path: String { folder.file("s.sock") }

  private func server(
    _ limits: HTTPServerLimits = HTTPServerLimits(), respond: @escaping (HTTPServerRequest) -> HTTPServerResponse
  ) throws -> HTTPServer {
    try HTTPServer(loop, at: .local(.socket(path: path, access: .group)), limits) { $1(respond($0)) }
  }

  private func curl(_ arguments: String...) throws -> String {
    try loop.result(of: ["/usr/bin/curl", "-sS", "--max-time", "20", "--unix-socket", path] + arguments).output.text
  }

  private var posting: HTTPServerLimits {
    var limits = HTTPServerLimits()
    limits.contentSize = 1000
    return limits
  }

  @Test func `a request has its content, its headers and its arguments`() throws {
    let server = try server(posting) { request in
      let content = String(decoding: request.content, as: UTF8.self)
      let words = [request.method.rawValue, request.path, request.header("x-test") ?? "", request.argument("a") ?? "", content]
      return HTTPServerResponse(headers: [("Cache-Control", "max-age=60")], words.joined(separator: " "))
    }
    #expect(try curl("-d", "x=1", "-H", "X-Test: yes", "http://localhost/p?a=%C3%BC") == "POST /p yes ü x=1")
    let answer = try curl("-i", "http://localhost/")
    #expect(answer.contains("Cache-Control: max-age=60\r\n") && !answer.contains("no-store") && answer.contains("nosniff\r\n"))
    _ = server
  }

  @Test func `a content that is too large is refused before it is sent, and one of unknown length ends the connection`() throws {
    var requests = 0
    let server = try server(posting) {
      requests += 1
      return HTTPServerResponse("\($0.content.count)")
    }
    #expect(try curl("-d", String(repeating: "x", count: 1000), "http://localhost/") == "1000")
    #expect(try curl("-d", String(repeating: "x", count: 1001), "http://localhost/") == "the content is larger than 1000 octets\n")
    let file = folder.file("large")
    try Data(repeating: 0x78, count: 100_000).write(to: URL(fileURLWithPath: file))
    let chunked = try loop.result(of: [
      "/usr/bin/curl", "-sS", "--max-time", "20", "--unix-socket", path, "-H", "Transfer-Encoding: chunked", "-d", "@\(file)",
      "http://localhost/",
    ])
    #expect(chunked.outcome != .exited(0) && requests == 1)
    _ = server
  }

  /// Connects and requests the stream.
  private func follow(_ onOctets: @escaping ([UInt8]) -> Void, onEnd: @escaping () -> Void = {}) throws -> OctetStream {
    let stream = try OctetStream(loop, try LocalSocket.connect(to: Array(path.utf8)))
    stream.onOctets = { onOctets(Array($0)) }
    stream.onEnd = { _ in onEnd() }
    stream.send(Array("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    return stream
  }

  @Test func `events arrive at once, also long after the request`() throws {
    var stream: EventStream?
    var limits = HTTPServerLimits()
    limits.duration = .milliseconds(300)
    let server = try server(limits) { _ in
      let new = EventStream()
      stream = new
      return HTTPServerResponse(events: new)
    }
    var received: [UInt8] = []
    let client = try follow { received += $0 }
    try loop.wait { stream != nil && String(decoding: received, as: UTF8.self).contains("\r\n\r\n") }
    // Longer than a connection without a stream lasts.
    try loop.run(for: .milliseconds(500))
    stream?.send(event: "region", id: "7", data: "{\"a\":1}\nsecond")
    try loop.wait { String(decoding: received, as: UTF8.self).contains("second") }
    let text = String(decoding: received, as: UTF8.self)
    #expect(text.contains("Content-Type: text/event-stream; charset=utf-8\r\n"))
    #expect(text.contains("event: region\nid: 7\ndata: {\"a\":1}\ndata: second\n\n"))
    _ = (server, client)
  }

  @Test func `the end of a stream closes the connection, and a client that leaves ends the stream`() throws {
    var streams: [EventStream] = []
    let server = try server { _ in
      streams.append(EventStream())
      return HTTPServerResponse(events: streams[streams.count - 1])
    }
    var hasEnded = false
    let first = try follow({ _ in }, onEnd: { hasEnded = true })
    try loop.wait { streams.count == 1 }
    streams[0].send(event: "last", data: "")
    streams[0].end()
    try loop.wait { hasEnded }
    var second: OctetStream? = try follow { _ in }
    try loop.wait { streams.count == 2 }
    var hasLeft = false
    streams[1].onEnd = { hasLeft = true }
    second = nil
    // A client that has left is noticed with what is sent to it.
    try loop.wait {
      streams[1].send(event: "heartbeat", data: "")
      return hasLeft
    }
    _ = (server, first, second)
  }

  @Test func `a client that does not read is dropped, and the memory is limited`() throws {
    var stream: EventStream?
    let server = try server { _ in
      let new = EventStream()
      stream = new
      return HTTPServerResponse(events: new)
    }
    let client = try LocalSocket.connect(to: Array(path.utf8))
    let request = Array("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    try loop.wait { stream != nil || write(client.number, request, request.count) > 0 && stream != nil }
    var hasEnded = false
    stream?.onEnd = { hasEnded = true }
    let data = String(repeating: "x", count: 10_000)
    for _ in 0..<200 where !hasEnded {
      stream?.send(event: "region", data: data)
      #expect((stream?.pendingCount ?? 0) <= EventStream.mostPending + 11_000)
      // The loop sends what the kernel takes.
      try loop.run(for: .milliseconds(1))
    }
    #expect(stream?.isEnded == true && client.number > 0)
    _ = server
  }

  @Test func `a server ends with open streams`() throws {
    var stream: EventStream?
    var server: HTTPServer? = try server { _ in
      let new = EventStream()
      stream = new
      return HTTPServerResponse(events: new)
    }
    var hasEnded = false
    let client = try follow({ _ in }, onEnd: { hasEnded = true })
    try loop.wait { stream != nil }
    // The server suspends the connection of a stream without octets in this time, as the end of an active one is simple.
    try loop.run(for: .milliseconds(20))
    server = nil
    try loop.wait { hasEnded }
    stream?.send(event: "late", data: "")
    _ = (server, client)
  }

  @Test func `an answer that comes later is sent then, and one that never comes is replaced by an error`() throws {
    var limits = HTTPServerLimits()
    limits.duration = .seconds(1)
    var answers: [(HTTPServerResponse) -> Void] = []
    let server = try HTTPServer(loop, at: .local(.socket(path: path, access: .group)), limits) { _, answer in answers.append(answer) }
    var received: [UInt8] = []
    let client = try follow { received += $0 }
    try loop.wait { answers.count == 1 }
    answers[0](HTTPServerResponse("late\n"))
    // Only the first answer counts.
    answers[0](HTTPServerResponse("second\n"))
    try loop.wait { String(decoding: received, as: UTF8.self).hasSuffix("late\n") }
    #expect(try curl("-i", "http://localhost/").hasPrefix("HTTP/1.1 504 "))
    answers[1](HTTPServerResponse("too late\n"))
    _ = (server, client)
  }

  @Test func `a stream that is answered too late ends`() throws {
    var limits = HTTPServerLimits()
    limits.duration = .milliseconds(300)
    var answers: [(HTTPServerResponse) -> Void] = []
    let server = try HTTPServer(loop, at: .local(.socket(path: path, access: .group)), limits) { _, answer in answers.append(answer) }
    #expect(try curl("-i", "http://localhost/").hasPrefix("HTTP/1.1 504 "))
    let stream = EventStream()
    var hasEnded = false
    stream.onEnd = { hasEnded = true }
    answers[0](HTTPServerResponse(events: stream))
    try loop.wait { hasEnded }
    #expect(stream.isEnded)
    _ = server
  }

  @Test func `a server ends with requests that wait for an answer`() throws {
    var answers: [(HTTPServerResponse) -> Void] = []
    var server: HTTPServer? = try HTTPServer(loop, at: .local(.socket(path: path, access: .group))) { _, answer in answers.append(answer) }
    var hasEnded = false
    let client = try follow({ _ in }, onEnd: { hasEnded = true })
    try loop.wait { answers.count == 1 }
    server = nil
    try loop.wait { hasEnded }
    answers[0](HTTPServerResponse("late\n"))
    _ = (server, client)
  }

  @Test func `a file is sent whole, and is closed with or without its response`() throws {
    let file = folder.file("picture")
    let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    try content.write(to: URL(fileURLWithPath: file))
    var closed = 0
    func body() -> HTTPServerFile {
      HTTPServerFile(open(file, O_RDONLY | O_CLOEXEC), size: content.count) {
        close($0)
        closed += 1
      }
    }
    let server = try HTTPServer(loop, at: .local(.socket(path: path, access: .group)), headers: [("X-Usual", "1"), ("X-Other", "1")]) {
      $1(HTTPServerResponse(headers: [("X-Other", "2")], .file(body())))
    }
    let copy = folder.file("copy")
    #expect(try curl("-o", copy, "-D", "-", "http://localhost/").contains("X-Usual: 1\r\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == content && closed == 0)
    let head = try curl("-I", "http://localhost/")
    #expect(head.contains("Content-Length: 300000\r\n") && head.contains("X-Other: 2\r\n") && !head.contains("X-Other: 1"))
    _ = HTTPServerResponse(.file(body()))
    #expect(closed == 1)
    let opened = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == file
    }
    #expect(opened == 0)
    _ = server
  }
}
