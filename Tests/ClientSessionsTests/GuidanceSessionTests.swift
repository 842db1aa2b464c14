import ClientSessions
import Consent
import ConsentService
import Guidance
import Instants
import RouteReports
import TestSupport
import Testing
import Wayfinding

/// Guidance and routes of sessions.
@Suite struct GuidanceSessionTests {
  private let scene = SessionScene()
  private static let shop = GuidanceDestination(.place("shop"))

  private func route(_ client: SessionScene.Client, from start: GuidanceDestination? = nil) -> SessionScene.Call<RouteReport> {
    let call = SessionScene.Call<RouteReport>()
    scene.service.route(RouteQuery(to: Self.shop, from: start), timeout: .seconds(30), in: client.session) { call.results.append($0) }
    return call
  }

  private func guide(_ client: SessionScene.Client) {
    scene.service.guidance.start(GuidanceRequest(Self.shop), in: client.session)
  }

  @Test func `outputs go to the guided session, until it stops`() throws {
    try scene.decide(.whenInUse)
    let (client, other) = (try scene.open(), try scene.open())
    guide(client)
    let number = client.session.number
    let failure = GuidanceFailure(.noRoute, "a closed door")
    for output: GuidanceService.Output in [
      .route(number, RouteReport()), .instruction(number, InstructionReport()), .failed(number, failure),
      .update(other.session.number, GuidanceReport()),
    ] { scene.service.guidance.take(output) }
    #expect(
      client.drain() == [
        .guidanceUpdated(GuidanceReport()), .guidanceRouteChanged(RouteReport()), .guidanceInstruction(InstructionReport()),
        .guidanceFailed(failure),
      ])
    #expect(other.signals.isEmpty && scene.uses == [true])
    try scene.service.guidance.stop(client.session)
    scene.service.guidance.take(.update(number, GuidanceReport()))
    #expect(client.signals.isEmpty && scene.guidance.guided.isEmpty && client.dropped.last == .guidance)
    #expect(throws: SessionRefusal.notGuiding) { try scene.service.guidance.stop(client.session) }
  }

  @Test func `revoked consent ends the guidance with the reason, and refuses the waiting routes once`() throws {
    try scene.decide(.whenInUse)
    let (client, other) = (try scene.open(), try scene.open(1001, on: ":1.2"))
    try scene.decide(.whenInUse, 1001)
    guide(client)
    let (call, continued) = (route(client), route(other))
    _ = (client.drain(), other.drain())
    try scene.decide(.denied)
    let refusal = scene.denial()
    #expect(client.drain() == [.guidanceEnded(GuidanceEnd(.notAuthorized, refusal.text)), .authorizationChanged(try #require(verdict))])
    #expect(call.refusal == refusal && continued.isWaiting && scene.guidance.guided.isEmpty)
    for query in scene.guidance.queries { query.completion(.success(RouteReport())) }
    #expect(call.results.count == 1 && continued.value != nil)
  }

  private var verdict: ConsentPolicy.Verdict? {
    if case .unauthorized(let verdict) = scene.denial() { verdict } else { nil }
  }

  @Test func `a closed session ends its guidance without a signal, and its waiting routes fail`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    guide(client)
    let call = route(client)
    _ = client.drain()
    client.close()
    #expect(call.refusal == .closed && scene.guidance.guided.isEmpty && client.signals.isEmpty)
    scene.guidance.queries[0].completion(.success(RouteReport()))
    #expect(call.results.count == 1)
  }

  @Test func `guidance that becomes impossible after the answer ends with the reason`() throws {
    let client = try scene.open()
    let refusal = GuidanceRefusal(.noSuchPlace, "the shop has closed")
    try scene.service.guidance.check(GuidanceRequest(Self.shop))
    scene.guidance.refusal = refusal
    #expect(throws: SessionRefusal.guidance(refusal)) { try scene.service.guidance.check(GuidanceRequest(Self.shop)) }
    guide(client)
    #expect(client.signals == [.guidanceEnded(refusal.end)])
    #expect(throws: SessionRefusal.notGuiding) { try scene.service.guidance.stop(client.session) }
  }

  @Test func `guidance that has ended by itself reports the end once`() throws {
    try scene.decide(.whenInUse)
    let client = try scene.open()
    guide(client)
    let end = GuidanceEnd(.arrived, "arrived at the shop")
    _ = client.drain()
    for _ in 0..<2 { scene.service.guidance.take(.ended(client.session.number, end)) }
    #expect(client.signals == [.guidanceEnded(end)] && client.dropped.last == .guidance)
  }

  @Test func `a route from a stated place asks no person, and one from the position does`() throws {
    let client = try scene.open()
    #expect(route(client, from: GuidanceDestination(.place("desk"))).value != nil && scene.dialog.asked.isEmpty && scene.uses.isEmpty)
    let call = route(client)
    #expect(call.isWaiting && scene.dialog.asked.count == 1 && scene.guidance.queries.isEmpty)
    scene.dialog.answer(.yes)
    #expect(call.isWaiting && scene.guidance.queries.map(\.client) == [client.session.number] && scene.uses == [true])
    let refusal = GuidanceRefusal(.locationUnknown, "no source has a fix")
    scene.guidance.queries[0].completion(.failure(refusal))
    #expect(call.refusal == .guidance(refusal))
  }

  @Test func `a route of a session that ends while a person decides is refused`() throws {
    let client = try scene.open()
    let call = route(client)
    client.close()
    scene.dialog.answer(.yes)
    #expect(call.refusal == .ended("/session") && scene.guidance.queries.isEmpty)
  }

  @Test func `a route to an unknown destination is refused before a person is asked`() throws {
    scene.guidance.refusal = GuidanceRefusal(.noSuchPlace, "no venue has it")
    let client = try scene.open()
    #expect(route(client).refusal?.text == "no venue has it" && scene.dialog.asked.isEmpty)
  }
}
