import Geodesy
import Guidance
import Instants
import Locations
import RouteReports
import TestSupport
import Testing
import Venues
import Wayfinding

/// Destinations in venues, and venues that change.
@Suite struct GuidedVenueTests {
  @Test func `guidance continues to the same id in a changed venue, and ends if the venue has lost the place`() throws {
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

  @Test(arguments: [
    (GuidanceDestination(.place("clok")), GuidanceRefusal.Reason.noSuchPlace, "did you mean \"Clock\"?"),
    (GuidanceDestination(.place("zebra")), .noSuchPlace, "the places are desk, clock, shop, roof"),
    (GuidanceDestination(.place("")), .noSuchPlace, "the name of the place is empty"),
    (GuidanceDestination(.place(" ")), .noSuchPlace, "the name of the place is empty"),
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
}
