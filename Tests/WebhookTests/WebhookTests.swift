import DeliveryScheduling
import EventLoop
import Events
import Instants
import Records
import TestSupport
import Testing
import Webhook

/// Webhooks to a real HTTPS server.
@Suite struct WebhookTests {
  let loop: Loop
  let server: WebhookServer

  init() throws {
    loop = try Loop()
    server = try WebhookServer()
  }

  private func target(_ path: String, _ change: (inout Endpoint) -> Void = { _ in }) -> WebhookTarget {
    var endpoint = Endpoint(url: server.url(path), certificates: server.certificate?.file)
    change(&endpoint)
    return WebhookTarget(loop, to: endpoint)
  }

  private func outcome(_ target: WebhookTarget, id: Int64 = 1) throws -> DeliveryOutcome {
    let event = Event.of(["sequence": .count(UInt64(id)), "event": .text("enter"), "region": .text("hall")])
    return try loop.value { done in
      target.deliver(Delivery(id: id, message: "d-j-\(id)", event: event, json: event.json), completion: done)
    }
  }

  @Test func `the event arrives with its headers, and the signature covers the received body`() throws {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let target = target("/200") {
      $0.key = SigningKey(secret)
      $0.headers = [("Authorization", "Bearer xyz"), ("X-Shop", "12")]
    }
    #expect(try outcome(target, id: 7) == .delivered)
    let request = try #require(try server.requests().first)
    #expect(request.body == #"{"sequence":7,"event":"enter","region":"hall"}"#)
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["authorization"] == "Bearer xyz")
    #expect(request.headers["x-shop"] == "12")
    #expect(request.headers["webhook-id"] == "d-j-7")
    let timestamp = try #require(request.headers["webhook-timestamp"])
    let script = """
      import base64, hashlib, hmac, sys, time
      secret, timestamp, body = sys.argv[1:]
      assert abs(time.time() - int(timestamp)) < 60
      code = hmac.new(base64.b64decode(secret[6:]), f'd-j-7.{timestamp}.{body}'.encode(), hashlib.sha256).digest()
      print('v1,' + base64.b64encode(code).decode(), end='')
      """
    #expect(
      try loop.result(of: ["python3", "-c", script, secret, timestamp, request.body]).output.text == request.headers["webhook-signature"])
  }

  @Test func `a request without a secret has no signature`() throws {
    #expect(try outcome(target("/204")) == .delivered)
    #expect(try server.requests().first?.headers["webhook-signature"] == nil)
  }

  @Test(
    arguments: [
      ("/200", .delivered), ("/202", .delivered), ("/400", .refused("the server answered 400")),
      ("/422", .refused("the server answered 422")), ("/401", .failed("the server answered 401")),
      ("/404", .failed("the server answered 404")), ("/410", .failed("the server answered 410")),
      ("/500", .failed("the server answered 500")), ("/429/7", .failed("the server answered 429", retryAfter: .seconds(7))),
      ("/503/120", .failed("the server answered 503", retryAfter: .seconds(120))),
      ("/307", .failed("the server answered 307, and redirections are not followed; set url to the new address")), ("/flood", .delivered),
    ] as [(String, DeliveryOutcome)])
  func `each status has its outcome`(path: String, expected: DeliveryOutcome) throws {
    #expect(try outcome(target(path)) == expected)
    #expect(try server.requests().count == 1)
  }

  @Test func `a Retry-After may be a date`() throws {
    guard case .failed(_, let retryAfter?) = try outcome(target("/503/Fri,_31_Dec_2099_23:59:59_GMT")) else {
      Issue.record("no date was read")
      return
    }
    #expect(retryAfter > .seconds(70 * 365 * 86400))
  }

  @Test(arguments: ["/hang", "/half"])
  func `a server that does not finish is a failure after the timeout`(path: String) throws {
    guard case .failed(let reason, nil) = try outcome(target(path) { $0.timeout = .milliseconds(300) }) else {
      Issue.record("no failure")
      return
    }
    #expect(reason.contains("timed out"))
  }

  @Test func `a connection that is reset is a failure, and the next request succeeds`() throws {
    guard case .failed = try outcome(target("/reset")) else {
      Issue.record("no failure")
      return
    }
    #expect(try outcome(target("/200")) == .delivered)
  }

  @Test func `an unreachable server is a failure that names it, and a later request succeeds`() throws {
    let target = target("/200")
    #expect(try outcome(target) == .delivered)
    server.stop()
    guard case .failed(let reason, nil) = try outcome(target) else {
      Issue.record("no failure")
      return
    }
    #expect(reason.contains("localhost port \(server.port)"))
    try server.start()
    #expect(try outcome(target) == .delivered)
  }

  @Test func `requests of one target share a connection`() throws {
    let target = target("/200")
    for id in Int64(1)...20 { #expect(try outcome(target, id: id) == .delivered) }
    #expect(Set(try server.requests().map(\.peer)).count == 1)
  }

  @Test func `an untrusted certificate is refused before any data is sent`() throws {
    guard case .failed(let reason, nil) = try outcome(target("/200") { $0.certificates = nil }) else {
      Issue.record("no failure")
      return
    }
    #expect(reason.contains("certificate"))
    #expect(try server.requests().isEmpty)
  }

  @Test func `a certificate for another name is refused before any data is sent`() throws {
    let url = "https://127.0.0.1:\(server.port)/200"
    guard case .failed(let reason, nil) = try outcome(target("/200") { $0.url = url }) else {
      Issue.record("no failure")
      return
    }
    #expect(reason.contains("certificate"))
    #expect(try server.requests().isEmpty)
  }

  @Test func `plain HTTP is supported, and other protocols are not`() throws {
    let plain = try WebhookServer(encrypted: false)
    #expect(try outcome(target("/200") { $0.url = plain.url("/200") }) == .delivered)
    guard case .failed = try outcome(target("/200") { $0.url = "file:///etc/passwd" }) else {
      Issue.record("no failure")
      return
    }
  }

  @Test func `a target that is released during a request leaves nothing behind`() throws {
    var target: WebhookTarget? = target("/hang")
    let event = Event.of(["event": .text("enter")])
    target?.deliver(Delivery(id: 1, message: "m", event: event, json: event.json)) { _ in Issue.record("a released target answered") }
    // The request starts, and its answer never comes.
    try loop.run(for: .milliseconds(50))
    target = nil
    // A released target would answer in the next turns of the loop.
    try loop.run(for: .milliseconds(50))
  }
}
