import TestSupport
import ConsentService
import ClientSessions
import Consent
import Testing

/// The limits of sessions, users and apps.
@Suite struct SessionLimitTests {
  private let scene = SessionScene()

  private func text(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      guard case .limitsExceeded(let text) = error as? SessionRefusal else { return "\(error)" }
      return text
    }
  }

  @Test func `a connection may have 16 sessions, and another one when it has closed one`() throws {
    let clients = try (0..<16).map { _ in try scene.open() }
    #expect(Set(clients.map(\.session.number)).count == 16)
    #expect(
      text { _ = try scene.open() } == "this connection already has 16 sessions; close one, or use one for several constraints")
    _ = try scene.open(on: ":1.2")
    clients[3].close()
    clients[3].close()
    _ = try scene.open()
    #expect(text { _ = try scene.open() } != nil && scene.service.sessions.count == 17)
  }

  @Test func `a user may have 1024 sessions over all connections`() throws {
    let clients = try (0..<1024).map { try scene.open(on: ":1.\($0 / 16)") }
    #expect(text { _ = try scene.open(on: ":1.99") } == "user 1000 has 1024 sessions over all connections, the maximum; close one")
    _ = try scene.open(1001, on: ":1.100")
    clients[0].close()
    _ = try scene.open(on: ":1.99")
  }

  @Test func `16 calls of a session may wait for a decision, which answers all`() throws {
    let client = try scene.open()
    let calls = (0..<16).map { _ in client.permit() }
    #expect(client.permit().refusal?.text == "16 calls of this session already wait for a decision; wait for an answer")
    scene.dialog.answer(.dismissed)
    #expect(calls.allSatisfy { $0.refusal == .unauthorized(scene.consent.verdict(for: Person(SessionScene.alice))) })
    #expect(client.permit().isWaiting)
  }

  @Test func `1024 calls of a user may wait for a decision, including those of sessions that have ended`() throws {
    let clients = try (0..<64).map { try scene.open(on: ":1.\($0 / 16)") }
    let calls = clients.flatMap { client in (0..<16).map { _ in client.permit() } }
    let last = try scene.open(on: ":1.99")
    let text = "1024 calls of user 1000 over all sessions already wait for a decision; wait for an answer"
    #expect(last.permit().refusal == .limitsExceeded(text))
    for client in clients { client.close() }
    #expect(last.permit().refusal == .limitsExceeded(text))
    scene.dialog.answer(.no)
    #expect(calls.allSatisfy { $0.refusal == .ended("/session") })
    #expect(last.permit().isWaiting)
  }

  @Test func `a session may range 16 constraints, each once, and a user 1024`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    for minor in 0..<16 { #expect(try scene.service.startRanging(.beacon(minor), in: client.session)) }
    #expect(try !scene.service.startRanging(.beacon(3), in: client.session))
    #expect(
      text { _ = try scene.service.startRanging(.beacon(16), in: client.session) }
        == "this session already ranges 16 constraints; stop one, or range a wider one")
    try scene.service.stopRanging(.beacon(3), in: client.session)
    #expect(client.dropped == [.ranging(.beacon(3))] && scene.monitoring.constraints.count == 15)
    #expect(throws: SessionRefusal.notRanging(.beacon(3))) { try scene.service.stopRanging(.beacon(3), in: client.session) }
    _ = try scene.service.startRanging(.beacon(16), in: client.session)
    for index in 1..<64 {
      let other = try scene.open(on: ":1.\(1 + index / 16)")
      for minor in 0..<16 { _ = try scene.service.startRanging(.beacon(minor), in: other.session) }
    }
    let last = try scene.open(on: ":1.99")
    #expect(
      text { _ = try scene.service.startRanging(.beacon(0), in: last.session) }
        == "user 1000 ranges 1024 constraints over all sessions, the maximum; stop one, or range a wider one")
    client.close()
    #expect(try scene.service.startRanging(.beacon(0), in: last.session))
  }

  @Test func `a session may monitor 20 regions, and a user 256 with those of apps`() throws {
    try scene.decide(.always)
    let client = try scene.open()
    for index in 0..<20 { try scene.monitor("region \(index)", in: client) }
    #expect(
      text { try scene.monitor("one more", in: client) } == "this session already monitors 20 regions; stop one, or monitor a wider one")
    // A region of the same identifier is replaced.
    try scene.monitor("region 3", in: client)
    scene.monitoring.configured = ["door"]
    #expect(text { try scene.service.startMonitoring(configured: "door", in: client.session) } != nil)
    try scene.service.stopMonitoring("region 3", in: client.session)
    try scene.service.startMonitoring(configured: "door", in: client.session)
    let other = try scene.open()
    scene.monitoring.registered = (0..<236).map { "registered \($0)" }
    let full = "user 1000 has 256 regions over all sessions and apps, the maximum; stop one, or monitor a wider one"
    #expect(text { try scene.monitor("one more", in: other) } == full)
    client.close()
    try scene.monitor("one more", in: other)
  }

  @Test func `an app may register 20 regions, and replace one at this limit`() throws {
    try scene.decide(.always)
    let client = try scene.open()
    for index in 0..<20 { _ = try scene.service.register(SessionScene.definition("region \(index)"), in: client.session) }
    #expect(
      text { _ = try scene.service.register(SessionScene.definition("one more"), in: client.session) }
        == "org.example.Guide has already registered 20 regions; unregister one, or register a wider one")
    #expect(try scene.service.register(SessionScene.definition("region 3"), in: client.session) == "region 3")
    try scene.service.unregister("region 3", in: client.session)
    let app = try #require(AppID("org.example.Guide"))
    #expect(throws: SessionRefusal.notRegistered(app, "region 3")) { try scene.service.unregister("region 3", in: client.session) }
    _ = try scene.service.register(SessionScene.definition("one more"), in: client.session)
    let nameless = try scene.open(app: nil)
    #expect(throws: SessionRefusal.noApp) { try scene.service.register(SessionScene.definition("door"), in: nameless.session) }
  }
}
