import Geodesy
import Guidance
import Instants
import Locations
import RouteReports
import TestSupport
import Testing
import Venues
import Wayfinding

/// Positions that are lost, coarse, or do not change.
@Suite struct GuidancePositionTests {
  @Test func `a lost position is reported once and hides the direction, and guidance continues when it is back`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 10)
    _ = scene.drain()
    scene.locations.location = nil
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.failures.map(\.reason) == [.locationUnknown])
    let lost = try #require(scene.reports.last)
    #expect(lost.state == .lost && lost.bearing == nil && lost.next == nil && scene.reports.count == 1)
    try scene.walk(from: 10, to: 12)
    #expect(scene.reports.last?.state == .underWay && scene.ends.isEmpty && scene.routes.isEmpty)
    scene.locations.location = nil
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.failures.count == 2)
  }

  @Test func `a lost position removes the rest of the way from the report`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    #expect(scene.reports.last?.timestamp == scene.scheduler.wallClock)
    try scene.walk(from: 2, to: 10)
    scene.service.take(TrustedHeading(degrees: 120, accuracy: 5))
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.reports.last?.heading == 120 && scene.reports.last?.time != nil)
    scene.locations.location = nil
    let last = scene.scheduler.wallClock
    scene.scheduler.advance(by: .seconds(60))
    let lost = try #require(scene.reports.last)
    var expected = GuidanceReport()
    (expected.venue, expected.place, expected.title, expected.level) = ("hall", "clock", "Clock", "ground")
    (expected.state, expected.timestamp, expected.reroutings) = (.lost, lost.timestamp, 0)
    #expect(lost == expected)
    #expect(try #require(lost.timestamp) > last)
  }

  @Test func `a position that is too inaccurate is reported without the rest of the way`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 10)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(11, accuracy: 40)
    let coarse = try #require(scene.reports.last)
    #expect(coarse.state == .lost && coarse.accuracy == 40 && coarse.position != nil && coarse.distance == nil && coarse.time == nil)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(11, accuracy: nil)
    #expect(scene.reports.last?.position == nil && scene.reports.last?.accuracy == nil)
  }

  @Test func `the client learns after some seconds that there is no position`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    scene.scheduler.advance(by: .seconds(4))
    #expect(scene.failures.isEmpty)
    scene.scheduler.advance(by: .seconds(30))
    #expect(scene.failures.map(\.message) == ["no source has a fix"] && scene.reports.last?.state == .searching)
    // The reasons of sources are in English.
    let german = GuidanceScene()
    try german.service.start(1, GuidanceScene.request(.place("clock"), languages: ["de"]))
    german.scheduler.advance(by: .seconds(34))
    #expect(german.failures.map(\.message) == ["die Position ist unbekannt; siehe \"beaconmon status\""])
  }

  @Test func `a client that starts again and again does not delay the notice of a loss for others`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 10)
    _ = scene.drain()
    scene.locations.location = nil
    for _ in 0..<5 {
      scene.scheduler.advance(by: .seconds(3))
      try scene.service.start(2, GuidanceScene.request(.place("clock")))
    }
    let failed = scene.outputs.compactMap { if case .failed(let client, _) = $0 { client } else { nil } }
    #expect(failed.contains(1))
  }

  @Test func `a position that is too inaccurate guides nowhere`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.locate(5, accuracy: 40)
    #expect(scene.failures.map(\.message) == ["the position is accurate to 40 m only, and guidance needs 15 m"])
    try scene.locate(5, accuracy: nil)
    #expect(scene.failures.count == 1 && scene.reports.allSatisfy { $0.bearing == nil })
  }

  @Test func `a visitor who stands still on the level has arrived after a single location`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.level("first")))
    try scene.walk(from: 30, to: 38)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(38, floor: 1)
    scene.scheduler.advance(by: .seconds(3))
    #expect(scene.ends.isEmpty)
    scene.scheduler.advance(by: .seconds(10))
    #expect(scene.ends.map(\.reason) == [.arrived])
  }

  @Test func `a visitor who stands still outside has left the route, and so does a configured location`() throws {
    let scene = GuidanceScene()
    let before = try #require(Coordinate(latitude: 48.197, longitude: 11.575))
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 6)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(before)
    #expect(scene.reports.last?.mode == .route)
    scene.scheduler.advance(by: .seconds(15))
    #expect(scene.reports.last?.mode == .direct)

    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 6)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(before, accuracy: nil, lifetime: nil)
    #expect(scene.reports.last?.mode == .direct)
  }

  @Test func `a position that is too coarse to arrive outdoors is reported, and an exact one arrives`() throws {
    let scene = GuidanceScene()
    let target = try #require(Coordinate(latitude: 48.2, longitude: 11.575))
    try scene.service.start(1, GuidanceScene.request(.earth(target, level: nil)))
    try scene.locate(try #require(Coordinate(latitude: 48.197, longitude: 11.575)), accuracy: 12)
    #expect(scene.reports.last?.state == .underWay)
    for metres in [8.0, 3, 13, 9] {
      scene.scheduler.advance(by: .seconds(5))
      try scene.locate(try #require(Coordinate(latitude: 48.2 - metres / 111_200, longitude: 11.575)), accuracy: 12)
    }
    #expect(scene.failures.map(\.reason) == [.locationUnknown] && scene.ends.isEmpty)
    #expect(scene.failures[0].message.contains("accurate to 12 m only; a larger radius"), "\(scene.failures)")
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(target, accuracy: 5)
    #expect(scene.ends.isEmpty && scene.reports.last?.state == .underWay)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(target, accuracy: 4)
    #expect(scene.ends.map(\.reason) == [.arrived])
  }

  @Test func `a straight way to a place on an unknown level ends with the reason, reported once, and continues with a floor`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    for x in [2.0, 10, 18, 24, 28, 31, 35, 28] {
      scene.scheduler.advance(by: .seconds(5))
      try scene.locate(x, floor: nil, accuracy: 4)
    }
    #expect(scene.failures.map(\.reason) == [.locationUnknown] && scene.ends.isEmpty)
    #expect(scene.failures[0].message.contains("the level of this device is unknown; add a location source with a floor"))
    #expect(scene.reports.first { $0.mode == .direct }?.bearing != nil)
    #expect(scene.reports.last?.state == .lost && scene.reports.last?.position != nil)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(24)
    #expect(scene.reports.last?.state == .underWay && scene.routes == [.start])
  }

  @Test func `a visitor who stands outside the lift hears the way on after a single location`() throws {
    var venue = GuidanceScene.venue(hasStairs: false)
    venue.lifts = [RouteLift(id: "lift", stops: ["foot", "top"])]
    let scene = GuidanceScene([venue])
    try scene.service.start(1, GuidanceScene.request(.place("shop")))
    try scene.walk(from: 2, to: 38)
    _ = scene.drain()
    scene.scheduler.advance(by: .seconds(30))
    try scene.locate(38, floor: 1)
    #expect(scene.kinds.isEmpty)
    scene.scheduler.advance(by: .seconds(20))
    #expect(scene.kinds == [.now] && scene.reports.last?.position?.level == "first", "\(scene.sentences)")
    // Nothing is left to decide, so nothing follows.
    _ = scene.drain()
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.outputs.isEmpty)
  }

  @Test func `a visitor who leaves the route and then stands gets another one`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 16)
    for (x, y) in [(17.0, 8.0), (18, 9.7)] {
      scene.scheduler.advance(by: .seconds(1))
      try scene.locate(x, y)
    }
    #expect(scene.routes == [.start])
    scene.scheduler.advance(by: .seconds(30))
    #expect(scene.routes == [.start, .rerouted] && scene.reports.last?.state == .underWay)
    // A location that was measured before the last confirmation still counts.
    try scene.locate(20, 8)
    #expect(scene.reports.last?.state == .underWay && scene.reports.last?.position != nil)
  }

  @Test func `a visitor who comes from an island and then stands is led from there`() throws {
    let scene = GuidanceScene([GuidanceScene.venue(hasStairs: false)])
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.locate(10, floor: 1)
    #expect(scene.failures.map(\.reason) == [.noRoute])
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(10)
    #expect(scene.routes.isEmpty)
    scene.scheduler.advance(by: .seconds(15))
    #expect(scene.routes == [.start] && scene.reports.last?.state == .underWay)
  }

  @Test func `a position that jumps on the level and returns changes nothing`() throws {
    func kinds(jumps: Int) throws -> [Announcement.Kind] {
      let scene = GuidanceScene()
      try scene.service.start(1, GuidanceScene.request(.place("clock")))
      try scene.walk(from: 2, to: 12)
      for _ in 0..<jumps {
        scene.scheduler.advance(by: .seconds(1))
        try scene.locate(36, 9.5)
      }
      try scene.walk(from: 12, to: 28)
      #expect(scene.routes == [.start] && scene.failures.isEmpty, "\(jumps) jumps")
      return scene.kinds
    }
    let usual = try kinds(jumps: 0)
    for jumps in 1...3 { #expect(try kinds(jumps: jumps) == usual) }
  }

  @Test func `a position that jumps out of the venue and returns changes nothing`() throws {
    func scene(jumps: Int) throws -> GuidanceScene {
      let scene = GuidanceScene()
      try scene.service.start(1, GuidanceScene.request(.place("clock")))
      try scene.walk(from: 2, to: 12)
      for _ in 0..<jumps {
        scene.scheduler.advance(by: .seconds(1))
        try scene.locate(500, 9.5, floor: nil)
      }
      return scene
    }
    for jumps in 1...3 {
      let scene = try scene(jumps: jumps)
      #expect(scene.reports.allSatisfy { $0.mode != .direct && ($0.accuracy ?? 1) == 1 })
      try scene.walk(from: 12, to: 28)
      #expect(scene.routes == [.start] && scene.kinds.count { $0 == .start } == 1, "\(jumps) jumps")
    }
    #expect(try scene(jumps: 4).reports.last?.mode == .direct)
  }
}
