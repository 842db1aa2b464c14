import Instants
import RouteReports
import Testing
import Venues

@testable import Wayfinding

/// The announcements before the end of a route, and the next step on the screen.
@Suite struct ArrivalTests {
  /// A way of 20 m to the north and some metres to the east, at whose end is a room.
  private static func corner(_ metres: Double, landmark: PlanPoint? = nil) -> Venue {
    var venue = Venue(
      id: "v", places: [Place(id: "room", position: PlanPoint(x: metres, y: 20), radius: 1, title: ["en": "Room"])],
      nodes: [
        RouteNode(id: "in", position: PlanPoint(x: 0, y: 0)), RouteNode(id: "corner", position: PlanPoint(x: 0, y: 20)),
        RouteNode(id: "room", position: PlanPoint(x: metres, y: 20), place: "room"),
      ], edges: [RouteEdge(from: "in", to: "corner"), RouteEdge(from: "corner", to: "room")])
    if let landmark { venue.places.append(Place(id: "globe", position: landmark, title: ["en": "Globe"], isLandmark: true)) }
    return venue
  }

  /// Returns what a visitor hears who walks 1 m in each second, with the metres along the way at which they hear it.
  private static func walk(
    _ venue: Venue, hasCompass: Bool = true, language: String = "en"
  ) throws -> [(metres: Double, kind: Announcement.Kind, text: String)] {
    let network = WayNetwork(venue)
    var guide = RouteGuide(try #require(try network.route(from: Scene.at(0, 0), toPlace: "room")), in: network)
    let text = RouteText(network, languages: [language])
    var told: [(metres: Double, kind: Announcement.Kind, text: String)] = []
    for second in 0...Int(venue.places[0].position.x + 20) {
      let metres = Double(second)
      let place = metres <= 20 ? Scene.at(0, metres) : Scene.at(metres - 20, 20)
      let output = guide.update(
        GuidedPosition(
          place, accuracy: 0.5, heading: hasCompass ? metres <= 20 ? 0 : 90 : nil,
          time: Instant(microseconds: Int64(second) * 1_000_000)))
      told += output.announcements.map { (metres, $0.kind, text.text($0, to: 0)) }
    }
    return told
  }

  @Test(arguments: [true, false], [nil, PlanPoint(x: 2, y: 22)])
  func `the arrival is announced after the last turn`(hasCompass: Bool, landmark: PlanPoint?) throws {
    let told = try Self.walk(Self.corner(5.5, landmark: landmark), hasCompass: hasCompass)
    let turn = try #require(told.first { $0.text.hasSuffix("urn right.") })
    #expect((10...15).contains(turn.metres), "\(told)")
    let arrival = try #require(told.first { $0.text.contains("you reach Room") })
    #expect((19...22).contains(arrival.metres) && told.last?.kind == .arrived, "\(told)")
  }

  @Test func `a place right after the last turn is announced with the turn`() throws {
    let english = try Self.walk(Self.corner(4)).map(\.text)
    #expect(english.contains("In 8 metres, turn right, then in 4 metres you reach Room."), "\(english)")
    #expect(english.count { $0.contains("reach") } == 1, "\(english)")
    let german = try Self.walk(Self.corner(4), language: "de").map(\.text)
    #expect(german.contains("In 8 Metern: biegen Sie rechts ab, dann erreichen Sie in 4 Metern: Room."), "\(german)")
  }

  @Test func `a turn some metres after the first one is announced with its distance`() throws {
    let venue = Venue(
      id: "v", places: [Place(id: "room", position: PlanPoint(x: 30, y: 9))],
      nodes: [
        RouteNode(id: "in", position: PlanPoint(x: 0, y: 0)), RouteNode(id: "corner", position: PlanPoint(x: 0, y: 9)),
        RouteNode(id: "room", position: PlanPoint(x: 30, y: 9), place: "room"),
      ], edges: [RouteEdge(from: "in", to: "corner"), RouteEdge(from: "corner", to: "room")])
    let network = WayNetwork(venue)
    func first(_ heading: Double, _ language: String) throws -> String {
      var guide = RouteGuide(try #require(try network.route(from: Scene.at(0, 0), toPlace: "room")), in: network)
      let position = GuidedPosition(Scene.at(0, 0), accuracy: 0.5, heading: heading, time: Instant(microseconds: 0))
      let announcement = try #require(guide.update(position).announcements.first)
      return RouteText(network, languages: [language]).text(announcement, to: 0)
    }
    #expect(try first(90, "en") == "Turn left, then in 9 metres turn right.")
    #expect(try first(90, "de") == "Biegen Sie links ab, dann in 9 Metern: biegen Sie rechts ab.")
    #expect(try first(0, "en") == "Move forward 9 metres, then turn right.")
    #expect(try first(0, "de") == "Folgen Sie dem Weg geradeaus, Strecke: 9 Meter, dann biegen Sie rechts ab.")
  }

  @Test func `the next step of a visitor on a new level is not to reach this level`() throws {
    let venue = Venue(
      id: "v", levels: [VenueLevel(id: "ground"), VenueLevel(id: "first", ordinal: 1, name: ["en": "First floor"])],
      places: [Place(id: "room", level: "first", position: PlanPoint(x: 0, y: 50), title: ["en": "Room"])],
      nodes: [
        RouteNode(id: "in", level: "ground", position: PlanPoint(x: 0, y: 0)),
        RouteNode(id: "foot", level: "ground", position: PlanPoint(x: 0, y: 20)),
        RouteNode(id: "top", level: "first", position: PlanPoint(x: 0, y: 28)),
        RouteNode(id: "room", level: "first", position: PlanPoint(x: 0, y: 50), place: "room"),
      ],
      edges: [RouteEdge(from: "in", to: "foot"), RouteEdge(from: "foot", to: "top", kind: .stairs), RouteEdge(from: "top", to: "room")])
    let network = WayNetwork(venue)
    // The level of a beacon changes at the foot of the stairs, in their middle or at their top.
    for landing in [20.0, 24, 28] {
      var guide = RouteGuide(try #require(try network.route(from: Scene.at(0, 0), toPlace: "room")), in: network)
      let text = RouteText(network, languages: ["en"])
      var (isOnLevel, steps): (Bool, [String]) = (false, [])
      for second in 0..<45 {
        let metres = Double(second)
        let place = Scene.at(0, metres, level: metres > landing ? 1 : 0)
        let output = guide.update(
          GuidedPosition(place, accuracy: 1.5, heading: 0, time: Instant(microseconds: Int64(second) * 1_000_000)))
        isOnLevel = isOnLevel || output.announcements.contains { text.text($0, to: 0).hasPrefix("You are on First floor") }
        guard let next = output.next, isOnLevel || output.matched.level == 1 else { continue }
        steps.append(text.next(next, in: output.distance, to: 0))
      }
      #expect(isOnLevel && steps.count > 10 && steps.allSatisfy { $0.hasSuffix("you reach Room.") }, "\(landing), \(isOnLevel): \(steps)")
    }
  }
}
