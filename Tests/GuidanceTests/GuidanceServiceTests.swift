import Geodesy
import Guidance
import Instants
import LocationArbitration
import Locations
import Logging
import RouteReports
import TestSupport
import Testing
import Venues
import Wayfinding

final class FakeLocations: GuidanceLocations {
  var location: Location?
  var now: Instant { scheduler.now }
  var hasSources = true
  let unknownReason = "no source has a fix"
  private(set) var switches: [Bool] = []
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }
  func setGuiding(_ isGuiding: Bool) { switches.append(isGuiding) }
}

final class FakeHeadings: GuidanceHeadings {
  private(set) var switches: [Bool] = []
  func setGuiding(_ isGuiding: Bool) { switches.append(isGuiding) }
}

/// A service in a venue of two levels, and the outputs of its clients.
final class GuidanceScene {
  let scheduler = ManualScheduler()
  let locations: FakeLocations
  let headings = FakeHeadings()
  let service: GuidanceService
  private(set) var outputs: [GuidanceService.Output] = []

  static let frame: VenueFrame = {
    guard let origin = Coordinate(latitude: 48.137, longitude: 11.575) else { preconditionFailure("no coordinate") }
    return VenueFrame(origin: origin, bearing: 30)
  }()

  /// A hall of 40 m by 10 m on two levels, with stairs at its right end; the shop is above the desk.
  static func venue(places: [Place] = places, hasStairs: Bool = true) -> Venue {
    let floor = [PlanPolygon(from: PlanPoint(x: 0, y: 0), to: PlanPoint(x: 40, y: 10))].compactMap { $0 }
    var venue = Venue(
      id: "hall", frame: frame,
      levels: [
        VenueLevel(id: "ground", ordinal: 0, name: ["en": "Ground floor"], walkable: floor),
        VenueLevel(id: "first", ordinal: 1, name: ["en": "First floor"], walkable: floor),
      ], places: places,
      nodes: [
        RouteNode(id: "foot", level: "ground", position: PlanPoint(x: 38, y: 5)),
        RouteNode(id: "top", level: "first", position: PlanPoint(x: 38, y: 5)),
      ])
    if hasStairs { venue.edges = [RouteEdge(from: "foot", to: "top", kind: .stairs)] }
    return venue
  }

  static let places = [
    Place(id: "desk", level: "ground", position: PlanPoint(x: 2, y: 5), title: ["en": "Desk", "de": "Empfang"]),
    Place(id: "clock", level: "ground", position: PlanPoint(x: 30, y: 5), title: ["en": "Clock"]),
    Place(id: "shop", level: "first", position: PlanPoint(x: 5, y: 5), title: ["en": "Shop"]),
    Place(id: "roof", level: "ground", position: PlanPoint(x: 300, y: 5), title: ["en": "Roof"]),
  ]

  init(_ venues: [Venue] = [GuidanceScene.venue()]) {
    locations = FakeLocations(scheduler)
    service = GuidanceService(scheduler, locations, headings, Catalogue(venues), log: LogLines().logger)
    service.onOutput = { [unowned self] in outputs.append($0) }
  }

  static func request(_ goal: GuidanceDestination.Goal, languages: [String] = ["en"]) -> GuidanceRequest {
    GuidanceRequest(GuidanceDestination(goal), languages: languages)
  }

  /// Sends a location of the present.
  func locate(_ x: Double, _ y: Double = 5, floor: Int? = 0, accuracy: Double? = 1) throws {
    let coordinate = try #require(Self.frame.coordinate(for: PlanPoint(x: x, y: y)))
    try locate(coordinate, floor: floor, accuracy: accuracy)
  }

  func locate(_ coordinate: Coordinate, floor: Int? = nil, accuracy: Double? = 5, lifetime: Span? = .seconds(10)) throws {
    var reading = LocationReading(latitude: coordinate.latitude, longitude: coordinate.longitude, horizontalAccuracy: accuracy)
    reading.floor = floor
    let location = try Location(reading, from: Location.Source("test", lifetime: lifetime), at: Receipt(recorded: scheduler.now))
    locations.location = location
    service.take(location)
  }

  /// Walks along the hall with a location each second.
  func walk(from start: Double, to end: Double, y: Double = 5, floor: Int = 0, speed: Double = 1.3) throws {
    let count = max(1, Int((abs(end - start) / speed).rounded(.up)))
    for step in 0...count {
      scheduler.advance(by: .seconds(1))
      try locate(start + (end - start) * Double(step) / Double(count), y, floor: floor)
    }
  }

  func drain() -> [GuidanceService.Output] {
    defer { outputs = [] }
    return outputs
  }

  var reports: [GuidanceReport] { outputs.compactMap { if case .update(_, let report) = $0 { report } else { nil } } }
  var sentences: [String] { outputs.compactMap { if case .instruction(_, let sentence) = $0 { sentence.text } else { nil } } }
  var kinds: [Announcement.Kind] { outputs.compactMap { if case .instruction(_, let sentence) = $0 { sentence.kind } else { nil } } }
  var routes: [GuidanceRouteReason?] { outputs.compactMap { if case .route(_, let route) = $0 { route.reason } else { nil } } }
  var failures: [GuidanceFailure] { outputs.compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } } }
  var ends: [GuidanceEnd] { outputs.compactMap { if case .ended(_, let end) = $0 { end } else { nil } } }
}

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
    #expect(last.position?.level == "ground" && last.distanceText == "15 metres")
    #expect(last.time.map { (8...14).contains($0) } == true)
    // The hall's x axis points 90 degrees beyond the bearing of the frame.
    #expect(abs((last.bearing ?? 0) - 120) < 1)
    #expect(last.side == nil && last.turn == nil)
  }

  @Test func `a heading gives left, right and ahead with a hysteresis, at most five times a second`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 8)
    func side(_ degrees: Double, accuracy: Double = 5) -> TurnIndicator.Side? {
      scene.scheduler.advance(by: .seconds(1))
      _ = scene.drain()
      scene.service.take(TrustedHeading(degrees: degrees, accuracy: accuracy))
      scene.scheduler.advance(by: .milliseconds(1))
      return scene.reports.last?.side
    }
    #expect(side(120) == .ahead)
    #expect(side(107) == .ahead)
    #expect(side(100) == .right)
    #expect(side(107) == .right)
    #expect(side(145) == .left)
    #expect(side(145, accuracy: 40) == nil)
    _ = side(130)
    _ = scene.drain()
    for number in 0..<50 {
      scene.service.take(TrustedHeading(degrees: 130 + Double(number), accuracy: 5))
      scene.scheduler.advance(by: .milliseconds(20))
    }
    #expect((4...6).contains(scene.reports.count), "\(scene.reports.count)")
  }

  @Test func `a heading that is lost hides the turn, and not the bearing`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 8)
    scene.service.take(TrustedHeading(degrees: 120, accuracy: 5))
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.reports.last?.side == .ahead)
    scene.service.take(TrustedHeading?.none)
    scene.scheduler.advance(by: .seconds(1))
    let last = try #require(scene.reports.last)
    #expect(last.side == nil && last.heading == nil && last.bearing != nil)
  }

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

  @Test func `a position that is lost takes the rest of the way with it`() throws {
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

  @Test func `a position that is too inaccurate keeps itself, and no rest of the way`() throws {
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

  @Test func `a visitor who stands still on the level has arrived, with one location`() throws {
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
    #expect(scene.ends.map(\.reason) == [.arrived])
  }

  @Test func `each route after the first one counts, and only the first one is the start`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    let before = try #require(Coordinate(latitude: 48.197, longitude: 11.575))
    func leave() throws {
      for _ in 0..<3 {
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

  @Test func `a changed venue leads on by ids, and a place that it lost ends guidance`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.walk(from: 2, to: 8)
    _ = scene.drain()
    scene.service.replaceCatalogue(with: Catalogue([GuidanceScene.venue()]))
    scene.scheduler.advance(by: .seconds(1))
    try scene.locate(9)
    #expect(scene.routes.isEmpty && scene.reports.last?.state == .underWay)

    // The clock comes first, and has moved; another venue precedes this one.
    var places = Array(GuidanceScene.places.reversed())
    places[2].position = PlanPoint(x: 9, y: 9)
    let other = Venue(id: "other", places: [Place(id: "clock", position: PlanPoint(x: 0, y: 0))])
    scene.service.replaceCatalogue(with: Catalogue([other, GuidanceScene.venue(places: places)]))
    let report = try #require(scene.reports.last)
    #expect(scene.routes == [.venueChanged] && report.title == "Clock" && report.venue == "hall" && (report.distance ?? 99) < 5)

    places.removeAll { $0.id == "clock" }
    scene.service.replaceCatalogue(with: Catalogue([GuidanceScene.venue(places: places)]))
    #expect(scene.ends.map(\.reason) == [.destinationGone] && scene.ends[0].message.contains("no place \"clock\""))
    #expect(scene.locations.switches == [true, false])
  }

  @Test func `a reload finds the place that was meant, whatever the titles and the other venues are`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("Clock")))
    let coordinate = try #require(GuidanceScene.frame.coordinate(for: PlanPoint(x: 30, y: 5)))
    try scene.service.start(2, GuidanceRequest(GuidanceDestination(.earth(coordinate, level: "ground"))))
    try scene.walk(from: 2, to: 8)
    _ = scene.drain()
    var places = GuidanceScene.places
    places[1].title = ["en": "Tower"]
    places[2].title = ["en": "Clock"]
    places.append(Place(id: "Clock", level: "first", position: PlanPoint(x: 9, y: 5), title: ["en": "Clock"]))
    var other = GuidanceScene.venue()
    other.id = "annex"
    scene.service.replaceCatalogue(with: Catalogue([other, GuidanceScene.venue(places: places)]))
    #expect(scene.ends.isEmpty && scene.routes == [.venueChanged, .venueChanged])
    let report = try #require(scene.reports.first)
    #expect(report.place == "clock" && report.title == "Tower" && report.level == "ground")
    #expect(scene.reports.allSatisfy { $0.venue == "hall" })
  }

  @Test func `a venue that vanishes ends guidance, and so does a config without sources`() throws {
    let scene = GuidanceScene()
    try scene.service.start(1, GuidanceScene.request(.place("clock")))
    try scene.locate(5)
    scene.service.replaceCatalogue(with: Catalogue())
    #expect(scene.ends.map(\.reason) == [.destinationGone])
    let target = try #require(Coordinate(latitude: 48.2, longitude: 11.575))
    try scene.service.start(2, GuidanceScene.request(.earth(target, level: nil)))
    scene.locations.hasSources = false
    scene.service.sourcesChanged()
    #expect(scene.ends.map(\.reason) == [.destinationGone, .noLocationSource])
    #expect(throws: GuidanceRefusal.self) { try scene.service.start(3, GuidanceScene.request(.earth(target, level: nil))) }
  }

  @Test(arguments: [
    (GuidanceDestination(.place("clok")), GuidanceRefusal.Reason.noSuchPlace, "did you mean \"Clock\"?"),
    (GuidanceDestination(.place("zebra")), .noSuchPlace, "the places are desk, clock, shop, roof"),
    (GuidanceDestination(.place("o")), .ambiguousPlace, "means several places"),
    (GuidanceDestination(.place("roof")), .noRoute, "the destination is outside: 260 m from the floor"),
    (GuidanceDestination(.level("firsd")), .noSuchLevel, "did you mean \"first\"?"),
    (GuidanceDestination(.level("cellar")), .noSuchLevel, "the levels are ground, first"),
    (GuidanceDestination(.plan(PlanPoint(x: 3, y: 3), level: nil)), .invalidOptions, "the levels of hall are ground, first"),
    (GuidanceDestination(.plan(PlanPoint(x: 3, y: 300), level: "ground")), .noRoute, "the destination is outside"),
    (GuidanceDestination(.place("desk"), venue: "hal"), .noSuchVenue, "did you mean \"hall\"?"),
  ])
  func `a destination that cannot be reached is refused by name`(
    _ destination: GuidanceDestination, _ reason: GuidanceRefusal.Reason, _ words: String
  ) throws {
    let scene = GuidanceScene()
    let refusal = try #require(throws: GuidanceRefusal.self) { try scene.service.start(1, GuidanceRequest(destination)) }
    #expect(refusal.reason == reason && refusal.message.contains(words), "\(refusal.message)")
    #expect(scene.locations.switches.isEmpty)
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

  @Test func `a search by words finds a place of the stated venue, despite better matches in others`() throws {
    var other = GuidanceScene.venue(
      places: (0..<9).map { Place(id: "tea\($0)", level: "ground", position: PlanPoint(x: 5, y: 5), title: ["en": "Tea room"]) })
    other.id = "annex"
    let tea = Place(id: "bar", level: "ground", position: PlanPoint(x: 5, y: 5), title: ["en": "Coffee and tea"])
    let catalogue = Catalogue([other, GuidanceScene.venue(places: [tea])])
    let found = try catalogue.locate(GuidanceDestination(.place("tea"), venue: "hall"))
    #expect(found.venue == 1)
  }

  @Test func `a venue without a location on the earth is refused by name`() throws {
    var venue = GuidanceScene.venue()
    venue.frame = nil
    let scene = GuidanceScene([venue])
    let refusal = try #require(throws: GuidanceRefusal.self) { try scene.service.start(1, GuidanceScene.request(.place("desk"))) }
    #expect(refusal.message.contains("[frame]"))
    var answer: RouteReport?
    scene.service.route(
      RouteQuery(to: GuidanceDestination(.place("clock")), from: GuidanceDestination(.place("desk"))), for: 1, timeout: .seconds(1)
    ) { answer = try? $0.get() }
    #expect(answer?.length == 28)
  }

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
