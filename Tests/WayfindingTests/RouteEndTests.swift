import Geodesy
import Testing
import Venues

@testable import Wayfinding

/// The start and the destination of a route, as texts name them.
@Suite struct RouteEndTests {
  private static let hall = Venue(
    id: "hall", frame: VenueFrame(origin: coordinate(48.137, 11.575)),
    levels: [VenueLevel(id: "ground"), VenueLevel(id: "first", ordinal: 1)],
    places: [
      Place(id: "desk", level: "ground", position: PlanPoint(x: 1, y: 2), title: "Reception"),
      Place(id: "room-a", level: "first", position: PlanPoint(x: 3, y: 4), radius: 1, title: "Board room"),
      Place(id: "room-b", level: "first", position: PlanPoint(x: 5, y: 6), title: "Board room"),
      Place(id: "library", level: "first", position: PlanPoint(x: 7, y: 8), title: ["en": "Library", "de": "Bücherei"]),
    ])
  private static let shed = Venue(
    id: "shed", levels: [VenueLevel(id: "floor")], places: [Place(id: "bench", level: "floor", position: PlanPoint(x: 0, y: 0))])

  private static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { preconditionFailure("no coordinate") }
    return coordinate
  }

  private func end(_ text: String, as role: RouteEnd.Role = .start, in venue: Venue = hall) throws(RouteEndError) -> RouteEnd {
    try RouteEnd(text, as: role, in: WayNetwork(venue))
  }

  @Test(arguments: [("desk", "desk"), ("reception", "desk"), ("Bücherei", "library"), ("room-b", "room-b"), ("libr", "library")])
  func `a place is named by its id, or by a title in any language`(text: String, id: String) throws {
    #expect(try end(text).place == id)
  }

  @Test func `a place has its position, its level and the radius of its destination`() throws {
    let room = try end("room-a", as: .destination)
    #expect(room.point == Scene.at(3, 4, level: 1))
    #expect(room.destination(in: WayNetwork(Self.hall)).radius == 1)
  }

  @Test func `a point has its level after the @, unless the venue has only one`() throws {
    let point = try end("2.5,-1@first")
    #expect(point.point == Scene.at(2.5, -1, level: 1) && point.place == nil)
    #expect(try end("2.5,-1", in: Self.shed).point == Scene.at(2.5, -1))
  }

  @Test func `a coordinate is converted to the plan`() throws {
    let point = try end("48.1370,11.5750@ground").point
    #expect(point.level == 0 && abs(point.point.x) < 0.01 && abs(point.point.y) < 0.01)
  }

  @Test(arguments: [
    ("unicorn", RouteEndError.noPlace("unicorn", venue: "hall", places: ["desk", "room-a", "room-b", "library"])),
    ("board room", .severalPlaces("board room", ids: ["room-a", "room-b"])),
    ("1,nan@ground", .noPoint(.start, "1,nan@ground", level: "ground")),
    ("1,2@attic", .noLevel(.start, "1,2@attic", "attic", venue: "hall", levels: ["ground", "first"])),
    ("1,2", .levelRequired(.start, "1,2", levels: ["ground", "first"])),
    ("98.1370,11.5750@ground", .noCoordinate(.start, "98.1370,11.5750@ground")),
  ])
  func `a text that names no end, or several, is refused`(text: String, error: RouteEndError) {
    #expect(throws: error) { try end(text) }
  }

  @Test func `a pair that could be metres or degrees is refused`() {
    #expect(throws: RouteEndError.self) { try end("48.137,11.575@ground") }
    #expect(throws: RouteEndError.noFrame(venue: "shed")) { try end("48.1370,11.5750", in: Self.shed) }
  }

  @Test func `an error states what to write instead`() {
    for (error, text) in [
      (.noPlace("x", venue: "v", places: []), "there is no place \"x\"; the places of v are none"),
      (
        .noPlace("x", venue: "v", places: (1...10).map { "p\($0)" }),
        "there is no place \"x\"; the places of v are p1, p2, p3, p4, p5, p6, p7, p8 and 2 more"
      ),
      (.severalPlaces("x", ids: ["a", "b"]), "\"x\" means several places, such as \"a\" or \"b\"; write the id"),
      (.noPoint(.destination, "x", level: "g"), "the destination \"x\" is not a point; write metres or degrees, such as 12.5,8@g"),
      (.levelRequired(.start, "1,2", levels: ["g", "f"]), "the start \"1,2\" needs a level, such as 1,2@g; the levels are g, f"),
      (
        .noVenue(from: "a", to: "b", venues: ["v", "w"]),
        "no venue has both \"a\" and \"b\"; choose its file with --venue (venues: v, w)"
      ),
    ] as [(RouteEndError, String)] {
      #expect(error.description == text)
    }
  }

  @Test func `the venue is the only one, or the first that may have both ends`() throws {
    #expect(try RouteEnd.venue(of: [Self.shed], from: "unicorn", to: "desk").id == "shed")
    let both = [Self.shed, Self.hall]
    #expect(try RouteEnd.venue(of: both, from: "reception", to: "1,2@first").id == "hall")
    #expect(try RouteEnd.venue(of: both, from: "bench", to: "1,2").id == "shed")
    #expect(throws: RouteEndError.noVenue(from: "bench", to: "desk", venues: ["shed", "hall"])) {
      try RouteEnd.venue(of: both, from: "bench", to: "desk")
    }
  }
}
