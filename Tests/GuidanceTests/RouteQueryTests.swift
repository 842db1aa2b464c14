import Geodesy
import Guidance
import Instants
import Locations
import RouteReports
import TestSupport
import Testing
import Venues
import Wayfinding

/// Single routes.
@Suite struct RouteQueryTests {
  @Test func `a route from the present position waits for it, and the sources are off after the answer`() throws {
    let scene = GuidanceScene()
    var answers: [Result<RouteReport, GuidanceRefusal>] = []
    let query = RouteQuery(to: GuidanceDestination(.place("clock")), languages: ["en"])
    scene.service.route(query, for: 1, timeout: .seconds(30)) { answers.append($0) }
    #expect(answers.isEmpty && scene.locations.switches == [true] && scene.headings.switches.isEmpty)
    try scene.locate(10)
    let length = try #require(try answers.first?.get().length)
    #expect(abs(length - 20) < 0.1 && scene.locations.switches == [true, false])
    scene.locations.location = nil
    scene.service.route(query, for: 1, timeout: .seconds(3)) { answers.append($0) }
    scene.scheduler.advance(by: .seconds(3))
    #expect(throws: GuidanceRefusal(.locationUnknown, "no source has a fix")) { try answers.last?.get() }
    #expect(scene.locations.switches == [true, false, true, false])
    for _ in 0..<5 { scene.service.route(query, for: 1, timeout: .seconds(3)) { answers.append($0) } }
    #expect(throws: GuidanceRefusal.self) { try answers.last?.get() }
    scene.service.cancelQueries(of: 1)
    #expect(answers.count == 3 && scene.locations.switches.last == false)
  }

  @Test func `a route that cannot begin is refused by the reason of its start`() throws {
    let scene = GuidanceScene()
    var answers: [Result<RouteReport, GuidanceRefusal>] = []
    let clock = GuidanceDestination(.place("clock"))
    let far = try #require(Coordinate(latitude: 48.2, longitude: 11.575))
    scene.service.route(RouteQuery(to: clock, from: GuidanceDestination(.earth(far, level: nil))), for: 1, timeout: .seconds(1)) {
      answers.append($0)
    }
    let outside = #expect(throws: GuidanceRefusal.self) { try answers.last?.get() }
    #expect(outside?.message == "the start is outside: the coordinate is on no level of hall")
    scene.service.route(RouteQuery(to: clock), for: 1, timeout: .seconds(3)) { answers.append($0) }
    try scene.locate(5, accuracy: 40)
    scene.scheduler.advance(by: .seconds(3))
    let coarse = #expect(throws: GuidanceRefusal.self) { try answers.last?.get() }
    #expect(coarse?.message.hasPrefix("the position is accurate to 40 m only, and a route needs 15 m") == true)
  }

  @Test func `a request that waits for a position ends when the last source is removed`() throws {
    let scene = GuidanceScene()
    var answers: [Result<RouteReport, GuidanceRefusal>] = []
    let query = RouteQuery(to: GuidanceDestination(.place("clock")))
    for client in 1...2 { scene.service.route(query, for: UInt32(client), timeout: .seconds(600)) { answers.append($0) } }
    scene.service.sourcesChanged()
    #expect(answers.isEmpty)
    scene.locations.hasSources = false
    scene.service.sourcesChanged()
    #expect(answers.count == 2 && scene.locations.switches == [true, false])
    let refusal = #expect(throws: GuidanceRefusal.self) { try answers.last?.get() }
    #expect(refusal?.reason == .noLocationSource)
  }
}
