import Instants
import RouteReports
import Testing
import Venues

@testable import Wayfinding

/// The words of guidance in each language.
@Suite struct WordingTests {
  private static let venue = Venue(
    id: "v",
    levels: [
      VenueLevel(id: "ground", name: ["en": "Ground floor", "de": "Erdgeschoss"]),
      VenueLevel(id: "first", ordinal: 1, name: ["en": "First floor", "de": "Erster Stock"]),
    ],
    places: [Place(id: "library", position: PlanPoint(x: 9, y: 0), title: ["en": "Library", "de": "Bibliothek"])])
  private static let network = WayNetwork(venue)
  private static let english = RouteText(network, languages: ["en"])
  private static let german = RouteText(network, languages: ["de"])

  private static func manoeuvre(_ kind: Manoeuvre.Kind, length: Double = 0, isOnNewLevel: Bool = false) -> Manoeuvre {
    var manoeuvre = Manoeuvre(kind: kind, offset: 0, place: Scene.at(0, 0), length: length)
    manoeuvre.isOnNewLevel = isOnNewLevel
    return manoeuvre
  }

  private static func announced(_ kind: Announcement.Kind, _ manoeuvres: [Manoeuvre], _ metres: Double = 0) -> Announcement {
    Announcement(kind: kind, manoeuvres: manoeuvres, distance: metres)
  }

  @Test func `the last part of a way leads to the place that is reached`() {
    let end = Self.manoeuvre(.arrive(nil))
    #expect(Self.english.next(end, in: 30, to: 0) == "In 30 metres, you reach Library.")
    #expect(Self.german.next(end, in: 7, to: 0) == "In 7 Metern erreichen Sie: Bibliothek.")
    #expect(Self.english.text(Self.announced(.approach, [end], 7), to: 0) == "In 7 metres, you reach Library.")
    #expect(Self.english.next(Self.manoeuvre(.arrive(.left)), in: 7, to: 0) == "In 7 metres, Library is on your left.")
    #expect(Self.english.next(end, in: 0.5, to: 0) == "Library is ahead of you.")
  }

  @Test func `the first instruction on a new level names the level`() {
    let up = Self.manoeuvre(.proceed(level: 1), length: 20, isOnNewLevel: true)
    #expect(Self.english.sentences([up, up], to: 0)[0] == "You are on First floor; move forward 20 metres.")
    #expect(Self.english.text(Self.announced(.now, [up]), to: 0) == "You are on First floor; move forward 20 metres.")
    #expect(Self.english.next(up, in: 3, to: 0) == "In 3 metres, you reach First floor.")
    #expect(Self.german.sentences([up, up], to: 0)[0].hasPrefix("Ebene erreicht: Erster Stock; folgen Sie"))
    let behindSteps = Self.manoeuvre(.proceed(level: 0), length: 20)
    #expect(Self.english.text(Self.announced(.now, [behindSteps]), to: 0) == "Move forward 20 metres.")
  }

  @Test func `a route from a place to itself states that the visitor is there`() {
    let end = [Self.manoeuvre(.arrive(nil))]
    #expect(Self.english.sentences(end, to: 0) == ["You are already at Library."])
    #expect(Self.english.sentences(end, to: nil) == ["You are already there."])
    #expect(Self.german.sentences(end, to: 0) == ["Sie sind schon am Ziel: Bibliothek."])
  }

  @Test func `one step of a route does not state that the visitor is there`() {
    let end = Self.manoeuvre(.arrive(nil))
    #expect(Self.english.sentence(end, to: 0) == "Library is ahead of you.")
    #expect(Self.german.sentence(end, to: 0) == "Vor Ihnen liegt Bibliothek.")
  }

  @Test func `a distance of at least 5 m between two actions is spoken, but not before a door or a landmark, or after stairs`() {
    func turn(_ offset: Double, isAtDoor: Bool = false) -> Manoeuvre {
      var turn = Self.manoeuvre(.turn(.init(side: .left, sharpness: .usual)))
      (turn.offset, turn.isAtDoor) = (offset, isAtDoor)
      return turn
    }
    func told(_ manoeuvres: [Manoeuvre]) -> String { Self.english.text(Self.announced(.now, manoeuvres), to: 0) }
    #expect(told([turn(0), turn(4)]) == "Turn left, then turn left.")
    #expect(told([turn(0), turn(10)]) == "Turn left, then in 10 metres turn left.")
    #expect(told([turn(0), turn(10, isAtDoor: true)]) == "Turn left, then turn left at the door.")
    let stairs = Self.manoeuvre(.changeLevel(.stairs, isUp: true, level: 1))
    #expect(told([stairs, turn(10)]) == "Take the stairs up to First floor, then turn left.")
    var end = Self.manoeuvre(.arrive(.right))
    #expect(told([turn(0), end]) == "Turn left, then Library is on your right.")
    end.offset = 3
    #expect(told([turn(0), end]) == "Turn left, then in 3 metres Library is on your right.")
    #expect(
      Self.german.text(Self.announced(.now, [turn(0), end]), to: 0)
        == "Biegen Sie links ab, dann in 3 Metern: rechts von Ihnen liegt Bibliothek.")
  }

  @Test func `the arrival at a point names no destination`() {
    let end = [Self.manoeuvre(.arrive(nil))]
    #expect(Self.english.text(Self.announced(.arrived, end), to: nil) == "You have arrived.")
    #expect(GuidanceText(languages: ["en"]).arrival(at: nil) == "You have arrived.")
    #expect(GuidanceText(languages: ["de"]).arrival(at: nil) == "Sie sind angekommen.")
    #expect(GuidanceText(languages: ["en"]).arrival(at: "Clock") == "You have arrived: Clock.")
  }

  @Test func `doors in succession are one action`() {
    let door = Self.manoeuvre(.door)
    #expect(Self.english.text(Self.announced(.now, [door, door]), to: 0) == "Go through the doors.")
    let turn = Self.manoeuvre(.turn(.init(side: .left, sharpness: .usual)))
    #expect(Self.german.text(Self.announced(.now, [door, turn]), to: 0) == "Gehen Sie durch die Tür, dann biegen Sie links ab.")
  }

  @Test func `a manoeuvre right after the approach belongs to the first instruction`() throws {
    let venue = Venue(
      id: "v", levels: [VenueLevel(id: "ground"), VenueLevel(id: "first", ordinal: 1)],
      places: [Place(id: "room", level: "first", position: PlanPoint(x: 0, y: 40))],
      nodes: [
        RouteNode(id: "in", level: "ground", position: PlanPoint(x: 0, y: 0)),
        RouteNode(id: "low", level: "ground", position: PlanPoint(x: 0, y: 8.3)),
        RouteNode(id: "up", level: "first", position: PlanPoint(x: 0, y: 14)),
        RouteNode(id: "room", level: "first", position: PlanPoint(x: 0, y: 40), place: "room"),
      ],
      edges: [RouteEdge(from: "in", to: "low"), RouteEdge(from: "low", to: "up", kind: .stairs), RouteEdge(from: "up", to: "room")])
    let network = WayNetwork(venue)
    var guide = RouteGuide(try #require(try network.route(from: Scene.at(0, 0), toPlace: "room")), in: network)
    let first = try #require(
      guide.update(GuidedPosition(Scene.at(0, 0), accuracy: 0.5, heading: 0, time: .init(microseconds: 0))).announcements.first)
    #expect(RouteText(network, languages: ["en"]).text(first, to: 0) == "Move forward 8 metres, then take the stairs up to first.")
    let next = guide.update(GuidedPosition(Scene.at(0, 1), accuracy: 0.5, heading: 0, time: .init(microseconds: 1_000_000)))
    #expect(next.announcements.isEmpty)
  }
}
