import Geodesy
import Guidance
import Instants
import Locations
import RouteReports
import TestSupport
import Testing
import Venues
import Wayfinding

/// Guidance of clients with a clock, locations and headings of the test.
@Suite struct GuidanceServiceTests {
  @Test func `guidance to a place on another level ends there, and switches locations and headings off`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("shop")))
    #expect(scene.reports.map(\.state) == [.searching] && scene.locations.switches == [true] && scene.headings.switches == [true])
    try scene.walk(from: 2, to: 38)
    try scene.walk(from: 38, to: 5, floor: 1)
    #expect(scene.ends.map(\.reason) == [.arrived])
    #expect(scene.routes == [.start])
    #expect(scene.kinds.first == .start && scene.kinds.last == .arrived && !scene.kinds.contains(.rerouted))
    #expect(scene.sentences.contains { $0.contains("take the stairs up to First floor") }, "\(scene.sentences)")
    let approach = try #require(scene.instructions.first { $0.text?.contains("you reach Shop") == true })
    #expect(approach.steps?.map(\.text) == ["Shop is ahead of you."])
    let last = try #require(scene.reports.last)
    #expect(last.state == .arrived && last.progress == 1 && last.distance == 0 && last.title == "Shop" && last.bearing == nil)
    #expect(scene.locations.switches == [true, false] && scene.headings.switches == [true, false])
    let count = scene.drain().count
    try scene.locate(5, floor: 1)
    #expect(scene.drain().isEmpty && count > 0)
  }

  @Test func `progress, the remaining time and the next step follow the visitor`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 16)
    let reports = scene.reports.filter { $0.mode == .route }
    let progress = reports.compactMap(\.progress)
    #expect(progress == progress.sorted() && (0.4...0.6).contains(progress.last ?? 0))
    let last = try #require(reports.last)
    #expect(last.next?.kind == "arrive" && abs((last.nextDistance ?? 0) - (last.distance ?? .nan)) < 0.1)
    #expect(last.nextText?.hasPrefix("In ") == true && last.nextText?.hasSuffix("you reach Clock.") == true, "\(last.nextText ?? "")")
    #expect(last.position?.level == "ground" && last.distanceText == "15 metres")
    #expect(last.next?.text == "Clock is ahead of you." && last.note == nil)
    #expect(last.time.map { (8...14).contains($0) } == true)
    // The hall's x axis points 90 degrees beyond the bearing of the frame.
    #expect(abs((last.bearing ?? 0) - 120) < 1)
    #expect(last.side == nil && last.turn == nil)
  }

  @Test func `a visitor who walks the other way gets another route, and one who jumps is led from there`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 10, to: 20)
    try scene.walk(from: 20, to: 4)
    #expect(scene.routes.contains(.rerouted) && scene.kinds.contains(.rerouted))
    _ = scene.drain()
    for _ in 0..<15 {
      scene.scheduler.advance(by: .seconds(1))
      try scene.locate(25, 8, floor: 1)
    }
    let report = try #require(scene.reports.last)
    #expect(scene.routes == [.rerouted] && report.state == .underWay && report.position?.level == "first")
    #expect(report.position?.levelName == "First floor")
  }

  @Test func `a level is reached by its stairs, and guidance ends on it`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.level("first")))
    try scene.walk(from: 2, to: 38)
    #expect(scene.ends.isEmpty && scene.reports.last?.title == "First floor")
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(38, floor: 1)
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(38, floor: 1)
    #expect(scene.ends.map(\.reason) == [.arrived] && scene.sentences.last == "You have arrived: First floor.")
  }

  @Test func `a visitor who turns towards other stairs is led up those stairs`() throws {
    var venue = GuidanceScene.venue()
    venue.nodes += [
      RouteNode(id: "near", level: "ground", position: PlanPoint(x: 2, y: 5)),
      RouteNode(id: "above", level: "first", position: PlanPoint(x: 2, y: 5)),
    ]
    venue.edges.append(RouteEdge(from: "near", to: "above", kind: .stairs))
    let scene = GuidanceScene([venue])
    try scene.service.start(1, GuidanceScene.request(.level("first")))
    try scene.walk(from: 24, to: 28)
    let first = try #require(scene.reports.last)
    #expect(abs((first.bearing ?? 0) - 120) < 5)
    try scene.walk(from: 28, to: 8)
    let last = try #require(scene.reports.last)
    #expect(scene.routes.last == .rerouted && abs((last.bearing ?? 0) - 300) < 5 && (last.distance ?? 99) < 20)
  }

  @Test func `outdoors a straight line leads to a coordinate with its milestones, and a venue begins at its floor`() throws {
    let scene = GuidanceScene()
    let target = try #require(Coordinate(latitude: 48.2, longitude: 11.575))
    try scene.service.start(1, GuidanceScene.request(.earth(target, level: nil)))
    let before = try #require(Coordinate(latitude: 48.197, longitude: 11.575))
    try scene.locate(before)
    let report = try #require(scene.reports.last)
    #expect(report.mode == .direct && report.venue == nil && abs((report.distance ?? 0) - 333.6) < 0.2)
    #expect(abs((report.bearing ?? 1)) < 0.01 || abs((report.bearing ?? 0) - 360) < 0.01)
    for step in 1...300 {
      scene.scheduler.advance(by: .seconds(1))
      let latitude = 48.197 + 0.003 * Double(step) / 300
      try scene.locate(try #require(Coordinate(latitude: latitude, longitude: 11.575)), accuracy: 3)
    }
    #expect(scene.ends.map(\.reason) == [.arrived])
    #expect(scene.kinds == [.start, .progress, .progress, .progress, .progress, .arrived], "\(scene.sentences)")
    #expect(scene.sentences.first == "The destination: 330 metres.", "\(scene.sentences)")

    _ = scene.drain()
    try scene.service.start(2, GuidanceScene.request(.place("clock")))
    try scene.locate(before)
    #expect(scene.reports.last?.mode == .direct && scene.reports.last?.title == "Clock")
    try scene.walk(from: 2, to: 6)
    #expect(scene.reports.last?.mode == .route && scene.routes == [.start])
    // One fix of a satellite receiver ends no route.
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(before)
    try scene.walk(from: 8, to: 10)
    #expect(scene.reports.last?.mode == .route && scene.routes == [.start])
  }

  @Test func `each route after the first one counts, and only the first one is the start`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    let before = try #require(Coordinate(latitude: 48.197, longitude: 11.575))
    func leave() throws {
      for _ in 0..<4 {
        scene.scheduler.advance(by: .seconds(1))
        try scene.locate(before)
      }
    }
    try scene.walk(from: 2, to: 6)
    #expect(scene.reports.last?.reroutings == 0)
    try leave()
    try scene.walk(from: 6, to: 8)
    #expect(scene.routes == [.start, .rerouted] && scene.reports.last?.reroutings == 1)
    var places = GuidanceScene.places
    places[1].position.x = 31
    scene.service.replaceCatalogue(with: Catalogue([GuidanceScene.venue(places: places)]))
    try leave()
    try scene.walk(from: 8, to: 10)
    #expect(scene.routes == [.start, .rerouted, .venueChanged, .rerouted] && scene.reports.last?.reroutings == 3)
  }

  @Test func `two clients are led independently, and the sources stay on for the other one`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.service.start(2, GuidanceScene.request(.place("desk"), languages: ["de"]))
    try scene.walk(from: 10, to: 6)
    let clients = Set(scene.drain().compactMap { if case .update(let client, _) = $0 { client } else { nil } })
    #expect(clients == [1, 2] && scene.locations.switches == [true])
    try scene.walk(from: 6, to: 2)
    #expect(
      scene.ends.map(\.reason) == [.arrived] && scene.sentences.contains { $0.contains("angekommen: vor Ihnen liegt Empfang") },
      "\(scene.sentences)")
    #expect(scene.service.isGuiding(1) && !scene.service.isGuiding(2) && scene.locations.switches == [true])
    scene.service.end(1)
    #expect(scene.locations.switches == [true, false] && scene.headings.switches == [true, false])
  }

  @Test func `a client learns of a lost position while others start and end their guidance each second`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.locate(10)
    scene.locations.location = nil
    for _ in 0..<15 {
      scene.scheduler.advance(by: .seconds(1))
      try scene.service.start(2, GuidanceScene.request(.place("desk")))
      scene.service.end(2)
    }
    let reason = scene.outputs.lazy.compactMap { if case .failed(1, let failure) = $0 { failure.reason } else { nil } }.first
    #expect(reason == .locationUnknown)
  }

  @Test func `a second start replaces the first, and a stop is silent`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.locate(10)
    try scene.service.start(1, GuidanceScene.request(.place("desk")))
    #expect(scene.reports.last?.title == "Desk" && scene.reports.last?.state == .underWay && scene.ends.isEmpty)
    _ = scene.drain()
    scene.service.end(1)
    scene.service.end(1)
    scene.scheduler.advance(by: .seconds(600))
    #expect(scene.drain().isEmpty)
  }

  @Test func `a withdrawn consent ends guidance with its reason`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    scene.service.end(1, GuidanceEnd(.notAuthorized, "denied by the user"))
    #expect(scene.ends.map(\.reason) == [.notAuthorized] && scene.locations.switches == [true, false])
  }

  @Test func `an island is named, and guidance begins when the visitor is where a way leads on`() throws {
    let scene = GuidanceScene([GuidanceScene.venue(hasStairs: false)])
    try scene.service.start(1, GuidanceScene.request(.place("shop")))
    for _ in 0..<20 {
      scene.scheduler.advance(by: .seconds(1))
      try scene.locate(5)
    }
    #expect(scene.failures.map(\.reason) == [.noRoute] && scene.failures[0].message.contains("no way leads from level \"ground\""))
    try scene.walk(from: 20, to: 15, floor: 1)
    #expect(scene.reports.last?.state == .underWay && scene.ends.isEmpty)
  }

  @Test func `guidance measures the pace of a visitor, whose positions have no speed`() throws {
    let scene = GuidanceScene()
    var paces: [Double] = []
    scene.service.onPace = { paces.append($0) }
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 27, speed: 1)
    #expect(!paces.isEmpty && paces.allSatisfy { abs($0 - 1) < 0.1 }, "\(paces)")
  }

  @Test(arguments: [-89.0, -70, 0, 70, 89]) func `the bearing of a route is within 0.01° of the geodesic, 2 km from the origin of the plan`(
    latitude: Double
  ) throws {
    for (x, y) in [(2000.0, 0.0), (-2000, 1000), (0, -2000), (1500, 1500)] {
      let frame = VenueFrame(origin: try #require(Coordinate(latitude: latitude, longitude: 11)), bearing: 30)
      let (start, end) = (PlanPoint(x: x, y: y), PlanPoint(x: x + 24, y: y + 32))
      let venue = Venue(
        id: "far", frame: frame, levels: [VenueLevel(id: "ground")],
        places: [Place(id: "goal", level: "ground", position: end)],
        nodes: [RouteNode(id: "a", level: "ground", position: start), RouteNode(id: "b", level: "ground", position: end)],
        edges: [RouteEdge(from: "a", to: "b")])
      let scene = GuidanceScene([venue])
      try scene.service.start(1, GuidanceScene.request(.place("goal")))
      for step in 0..<10 {
        scene.scheduler.advance(by: .seconds(1))
        try scene.locate(try #require(frame.coordinate(for: start.towards(end, Double(step) / 40))), floor: 0, accuracy: 1)
      }
      let report = try #require(scene.reports.last)
      let here = try #require(Coordinate(latitude: report.position?.latitude ?? .nan, longitude: report.position?.longitude ?? .nan))
      let line = Geodesic(from: here, to: try #require(frame.coordinate(for: end)))
      let error = (try #require(report.bearing) - line.initialAzimuth).remainder(dividingBy: 360)
      #expect(abs(error) < 0.01, "\(error)° at \(x), \(y)")
      // A visitor who faces the destination has no turn to make.
      scene.service.take(TrustedHeading(degrees: line.initialAzimuth < 0 ? line.initialAzimuth + 360 : line.initialAzimuth, accuracy: 5))
      scene.scheduler.advance(by: .seconds(1))
      #expect(abs(scene.reports.last?.turn ?? 999) < 0.02)
    }
  }

  @Test func `a start that fails after its answer ends for its own reason`() {
    #expect(GuidanceRefusal(.noLocationSource, "none").end == GuidanceEnd(.noLocationSource, "none"))
    #expect(GuidanceRefusal(.noSuchPlace, "none").end.reason == .destinationGone)
  }
}
