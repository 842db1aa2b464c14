import EventLoop
import HTTP
import Instants
import TestSupport
import Testing

/// Webhooks to a real HTTPS server.
@Suite struct HTTPClientTests {
  let loop: Loop
  let server: WebhookServer

  init() throws {
    loop = try Loop()
    server = try WebhookServer()
  }

  private func answer(_ client: HTTPClient, _ path: String, _ change: (inout HTTPRequest) -> Void = { _ in }) throws -> HTTPAnswer {
    var request = HTTPRequest(url: server.url(path), body: "{}", certificates: server.certificate?.file)
    change(&request)
    return try loop.value { client.send(request, completion: $0) }
  }

  @Test func `a request arrives with its headers and its body`() throws {
    let answer = try answer(HTTPClient(loop), "/200") {
      $0.headers = [("Content-Type", "text/plain"), ("X-Shop", "12")]
      $0.body = "région"
    }
    #expect(answer == .status(200, retryAfter: nil))
    let request = try #require(try server.requests().first)
    #expect(request.body == "région")
    #expect(request.headers["content-type"] == "text/plain")
    #expect(request.headers["x-shop"] == "12")
  }

  @Test(
    arguments: [("/404", .status(404, retryAfter: nil)), ("/503/120", .status(503, retryAfter: .seconds(120)))]
      as [(String, HTTPAnswer)])
  func `an answer has its status and its Retry-After`(path: String, expected: HTTPAnswer) throws {
    #expect(try answer(HTTPClient(loop), path) == expected)
  }

  @Test func `a server that never answers is a failure after the timeout`() throws {
    guard case .failure(let reason) = try answer(HTTPClient(loop), "/hang", { $0.timeout = .milliseconds(300) }) else {
      Issue.record("the server answered")
      return
    }
    #expect(reason.contains("timed out"))
  }

  @Test func `requests of one client share a connection`() throws {
    let client = HTTPClient(loop)
    for _ in 1...3 { #expect(try answer(client, "/200") == .status(200, retryAfter: nil)) }
    #expect(Set(try server.requests().map(\.peer)).count == 1)
  }
}
