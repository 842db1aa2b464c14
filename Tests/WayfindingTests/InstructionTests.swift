import Instants
import RouteReports
import Testing
import Venues

@testable import Wayfinding

/// Manoeuvres and their texts.
@Suite struct InstructionTests {
  /// Two levels: a corridor from the entrance to the north, a crossing at 20 m, a door in the east and stairs in the west.
  private static func museum() -> Venue {
    func node(_ id: String, _ x: Double, _ y: Double, _ level: String = "ground", isDoor: Bool = false, place: String? = nil) -> RouteNode {
      RouteNode(id: id, level: level, position: PlanPoint(x: x, y: y), place: place, isDoor: isDoor)
    }
    return Venue(
      id: "museum",
      levels: [
        VenueLevel(id: "ground", name: ["en": "Ground floor", "de": "Erdgeschoss"]),
        VenueLevel(id: "first", ordinal: 1, name: ["en": "First floor", "de": "Erster Stock"]),
      ],
      places: [
        Place(id: "stone", kind: .exhibit, position: PlanPoint(x: 22, y: 33), title: ["en": "Lodestone", "de": "Magnetstein"]),
        Place(id: "globe", position: PlanPoint(x: -2, y: 10), title: ["en": "Globe", "de": "Globus"], isLandmark: true),
        Place(id: "map", level: "first", position: PlanPoint(x: -32, y: 60), title: ["en": "Map room", "de": "Kartenraum"]),
        Place(id: "clock", position: PlanPoint(x: 1, y: 41), title: ["en": "Clock", "de": "Uhr"], isLandmark: true),
      ],
      nodes: [
        node("in", 0, 0), node("cross", 0, 20), node("door", 12, 20, isDoor: true), node("east", 20, 20),
        node("stone", 20, 33, place: "stone"),
        node("end", 0, 40), node("stairs", -20, 40), node("up", -30, 40, "first"), node("map", -30, 60, "first", place: "map"),
        node("lift", 0, 30), node("lift-1", 0, 30, "first"),
      ],
      edges: [
        RouteEdge(from: "in", to: "cross"), RouteEdge(from: "cross", to: "door"), RouteEdge(from: "door", to: "east"),
        RouteEdge(from: "east", to: "stone"), RouteEdge(from: "cross", to: "lift"), RouteEdge(from: "lift", to: "end"),
        RouteEdge(from: "end", to: "stairs"), RouteEdge(from: "stairs", to: "up", kind: .stairs), RouteEdge(from: "up", to: "map"),
        RouteEdge(from: "lift-1", to: "up"),
      ], lifts: [RouteLift(id: "lift", stops: ["lift", "lift-1"], boardTime: .seconds(200))])
  }

  private static func texts(
    _ venue: Venue, to place: String, language: String = "en", heading: Double? = nil, from start: VenuePoint = Scene.at(0, 0),
    isMetric: Bool = true
  ) throws -> [String] {
    let network = WayNetwork(venue)
    let route = try #require(try network.route(from: start, toPlace: place))
    let text = RouteText(network, languages: [language], isMetric: isMetric)
    return text.sentences(route.manoeuvres(in: network, heading: heading), to: route.destination.index)
  }

  @Test func `a route is described by turns, doors, landmarks and the side of the destination`() throws {
    #expect(
      try Self.texts(Self.museum(), to: "stone") == [
        "Move forward 10 metres.", "Pass Globe on your left.", "Turn right, then move forward 10 metres.",
        "Go through the door, then move forward 8 metres.", "Turn left, then move forward 15 metres.", "Lodestone is on your right.",
      ])
    #expect(
      try Self.texts(Self.museum(), to: "stone", language: "de") == [
        "Folgen Sie dem Weg geradeaus, Strecke: 10 Meter.", "Links liegt Globus.",
        "Biegen Sie rechts ab, dann folgen Sie dem Weg geradeaus, Strecke: 10 Meter.",
        "Gehen Sie durch die Tür, dann folgen Sie dem Weg geradeaus, Strecke: 8 Meter.",
        "Biegen Sie links ab, dann folgen Sie dem Weg geradeaus, Strecke: 15 Meter.", "Rechts von Ihnen liegt Magnetstein.",
      ])
  }

  @Test func `stairs lead to a level, and the turn after them is relative to their direction`() throws {
    #expect(
      try Self.texts(Self.museum(), to: "map") == [
        "Move forward 10 metres.", "Pass Globe on your left.", "Keep straight on, then move forward 20 metres.",
        "At Clock, turn left, then move forward 20 metres.", "Take the stairs up to First floor.",
        "Turn right, then move forward 20 metres.", "Map room is on your left.",
      ])
  }

  @Test func `the first instruction for a visitor who faces away is to turn around`() throws {
    let texts = try Self.texts(Self.museum(), to: "stone", heading: 175)
    #expect(texts[0] == "Turn around to the left, then move forward 10 metres.")
    #expect(try Self.texts(Self.museum(), to: "stone", heading: 90)[0] == "Turn left, then move forward 10 metres.")
    #expect(try Self.texts(Self.museum(), to: "stone", heading: 10)[0] == "Move forward 10 metres.")
  }

  @Test(arguments: [
    (20.0, nil as Manoeuvre.Turn?), (-24, nil), (30, .init(side: .right, sharpness: .slight)), (-90, .init(side: .left, sharpness: .usual)),
    (130, .init(side: .right, sharpness: .sharp)), (-175, .init(side: .left, sharpness: .around)),
  ]) func `the sharpness of a turn follows its angle`(degrees: Double, turn: Manoeuvre.Turn?) {
    #expect(Manoeuvre.Turn(degrees: degrees) == turn)
  }

  @Test func `a visitor leaves a lift by the door of entry`() throws {
    var venue = Self.museum()
    venue.lifts[0].boardTime = .zero
    venue.lifts[0].levelTime = .seconds(1)
    let texts = try Self.texts(venue, to: "map")
    // In to the north, out to the south-west... the way up lies in the west by north: to the right of south.
    #expect(texts.contains("Take the lift up to First floor."))
    #expect(texts.contains { $0.hasPrefix("Turn right") || $0.hasPrefix("Turn sharp right") }, "\(texts)")
  }

  @Test func `kinks of a drawing are not turns`() throws {
    let venue = Venue(
      id: "v", places: [Place(id: "end", position: PlanPoint(x: 0, y: 40))],
      nodes: [(0, 0), (0.4, 10), (-0.3, 20), (0.2, 30), (0.0, 40)].enumerated().map {
        RouteNode(id: "\($0.offset)", position: PlanPoint(x: $0.element.0, y: $0.element.1))
      }, edges: (0..<4).map { RouteEdge(from: "\($0)", to: "\($0 + 1)") })
    #expect(try Self.texts(venue, to: "end") == ["Move forward 40 metres.", "End is ahead of you."])
  }

  @Test func `distances have the units, the rounding and the decimal mark of the reader`() {
    let network = WayNetwork(Venue(id: "v"))
    let english = RouteText(network, languages: ["en-GB"])
    #expect(
      [0.2, 1.2, 9.4, 12, 97, 98, 994, 1000, 1260].map { english.distance($0) } == [
        "less than a metre", "1 metre", "9 metres", "10 metres", "95 metres", "100 metres", "990 metres", "1 kilometre", "1.3 kilometres",
      ])
    let german = RouteText(network, languages: ["fr", "de-CH"])
    #expect([6.0, 1260].map { german.distance($0, isAfterIn: true) } == ["6 Metern", "1,3 Kilometern"])
    #expect([6.0, 1260].map { german.distance($0) } == ["6 Meter", "1,3 Kilometer"])
    let american = RouteText(network, languages: ["en-US"], isMetric: false)
    #expect([6.0, 50, 1609, 2500].map { american.distance($0) } == ["20 feet", "160 feet", "1 mile", "1.6 miles"])
    #expect([10.0, 50, 360].map { english.time(.seconds($0)) } == ["less than a minute", "1 minute", "6 minutes"])
    #expect([3600.0, 3660, 18_900].map { english.time(.seconds($0)) } == ["1 hour", "1 hour and 1 minute", "5 hours and 15 minutes"])
    #expect([7200.0, 18_900].map { german.time(.seconds($0)) } == ["2 Stunden", "5 Stunden und 15 Minuten"])
    #expect(english.distance(.nan) == "less than a metre" && american.distance(0.1) == "less than a foot")
  }

  @Test func `each language has all placeholders of the others`() {
    func placeholders(_ text: String) -> Set<Substring> {
      Set(
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
          $0.split(separator: "}", omittingEmptySubsequences: false).first
        })
    }
    func shape(_ book: Phrasebook) -> [String: Set<Substring>] {
      var result: [String: Set<Substring>] = [:]
      for child in Mirror(reflecting: book).children {
        guard let label = child.label else { continue }
        if let text = child.value as? String, label != "language", label != "decimalMark" { result[label] = placeholders(text) }
        if let sides = child.value as? Phrasebook.Sides {
          (result[label + ".left"], result[label + ".right"]) = (placeholders(sides.left), placeholders(sides.right))
        }
        if let levels = child.value as? Phrasebook.Levels {
          (result[label + ".up"], result[label + ".down"]) = (placeholders(levels.up), placeholders(levels.down))
          result[label + ".flat"] = placeholders(levels.flat)
        }
      }
      return result
    }
    for book in Phrasebook.all { #expect(shape(book) == shape(.english), "\(book.language)") }
    #expect(Phrasebook.preferring(["fr", "de_AT"]).language == "de" && Phrasebook.preferring(["fr"]).language == "en")
  }

  @Test func `steps on one level lead neither up nor down`() throws {
    var venue = Self.museum()
    venue.edges[2].kind = .stairs
    #expect(try Self.texts(venue, to: "stone").contains("Go through the door, then take the steps."))
    #expect(try Self.texts(venue, to: "stone", language: "de").contains("Gehen Sie durch die Tür, dann nehmen Sie die Treppe."))
    let network = WayNetwork(venue)
    let route = try #require(try network.route(from: Scene.at(0, 0), toPlace: "stone"))
    #expect(route.manoeuvres(in: network).allSatisfy { $0.changes == 0 })
  }

  @Test func `a turn and a door right before stairs belong to their instruction`() throws {
    var venue = Self.museum()
    venue.nodes[7].position = PlanPoint(x: -20, y: 50)
    #expect(try Self.texts(venue, to: "map").contains("Turn right, then take the stairs up to First floor."))
    venue.nodes[6].isDoor = true
    #expect(try Self.texts(venue, to: "map").contains("Turn right at the door, then take the stairs up to First floor."))
    venue.nodes[7].isDoor = true
    venue.nodes[8].position = PlanPoint(x: -20, y: 80)
    venue.places[2].position = PlanPoint(x: -20, y: 80)
    #expect(try Self.texts(venue, to: "map").contains("You are on First floor; go through the door, then move forward 30 metres."))
    venue.nodes[7].isDoor = false
    let network = WayNetwork(venue)
    let route = try #require(try network.route(from: Scene.at(0, 0), toPlace: "map"))
    let step = try #require(route.report(in: network, languages: ["en"]).steps?.first { $0.kind == "changeLevel" })
    #expect(step.side == "right" && step.sharpness == "usual" && step.mode == "stairs")
    // Stairs above each other have no direction on the plan, and neither has the way from an inaccurate start to them.
    venue.nodes[7].position = PlanPoint(x: -20, y: 40.5)
    #expect(try Self.texts(venue, to: "map").contains("Go through the door, then take the stairs up to First floor."))
    venue.nodes[7].position = PlanPoint(x: -20, y: 50)
    let near = try #require(try network.route(from: Scene.at(-17, 40), accuracy: 3, toPlace: "map")).manoeuvres(in: network)
    #expect(near.allSatisfy { $0.entry == nil })
  }

  @Test func `a turn from a gate into a moving walkway is announced`() throws {
    func node(_ id: String, _ x: Double, _ y: Double) -> RouteNode { RouteNode(id: id, position: PlanPoint(x: x, y: y)) }
    let venue = Venue(
      id: "v", places: [Place(id: "end", position: PlanPoint(x: 40, y: 24))],
      nodes: [node("in", 0, 0), node("gate", 0, 20), node("behind", 0, 24), node("walkway", 20, 24), node("end", 40, 24)],
      edges: [
        RouteEdge(from: "in", to: "gate"), RouteEdge(from: "gate", to: "behind", kind: .gate),
        RouteEdge(from: "behind", to: "walkway", kind: .movingWalkway), RouteEdge(from: "walkway", to: "end"),
      ])
    let texts = try Self.texts(venue, to: "end")
    #expect(texts.contains("Go through the gate.") && texts.contains("Turn right, then take the moving walkway."), "\(texts)")
  }

  @Test func `two flights are one manoeuvre and two changes`() throws {
    var venue = Self.museum()
    venue.levels.append(VenueLevel(id: "second", ordinal: 2))
    for index in venue.nodes.indices where venue.nodes[index].id == "map" { venue.nodes[index].level = "second" }
    venue.nodes.append(RouteNode(id: "top", level: "second", position: PlanPoint(x: -40, y: 40)))
    venue.edges[8] = RouteEdge(from: "up", to: "top", kind: .stairs)
    venue.edges.append(RouteEdge(from: "top", to: "map"))
    let network = WayNetwork(venue)
    let manoeuvres = try #require(try network.route(from: Scene.at(0, 0), toPlace: "map")).manoeuvres(in: network)
    let changes = manoeuvres.filter { if case .changeLevel = $0.kind { true } else { false } }
    #expect(changes.count == 1 && changes[0].changes == 0 && manoeuvres.last?.changes == 2, "\(manoeuvres)")
  }

  @Test func `a turn near an inaccurate start is kept`() throws {
    let venue = Venue(
      id: "v", places: [Place(id: "end", position: PlanPoint(x: 30, y: 3))],
      nodes: [(0, 0), (0, 3), (30, 3)].enumerated().map {
        RouteNode(id: "\($0.offset)", position: PlanPoint(x: Double($0.element.0), y: Double($0.element.1)))
      }, edges: (0..<2).map { RouteEdge(from: "\($0)", to: "\($0 + 1)") })
    let network = WayNetwork(venue)
    let route = try #require(try network.route(from: Scene.at(0, 0), accuracy: 5, toPlace: "end"))
    #expect(route.manoeuvres(in: network).contains { $0.kind == .turn(.init(side: .right, sharpness: .usual)) })
  }

  @Test func `a landmark behind a wall or on the way is not named`() throws {
    func passes(_ landmark: PlanPoint, walls: [VenueWall] = []) throws -> Bool {
      let venue = Venue(
        id: "v", walls: walls,
        places: [Place(id: "globe", position: landmark, isLandmark: true), Place(id: "end", position: PlanPoint(x: 0, y: 40))],
        nodes: [RouteNode(id: "a", position: PlanPoint(x: 0, y: 0)), RouteNode(id: "b", position: PlanPoint(x: 0, y: 40))],
        edges: [RouteEdge(from: "a", to: "b")])
      return try Self.texts(venue, to: "end").contains { $0.contains("globe") }
    }
    #expect(try passes(PlanPoint(x: 3, y: 20)))
    #expect(try !passes(PlanPoint(x: 0, y: 20)))
    let wall = VenueWall(from: PlanPoint(x: 2, y: 0), to: PlanPoint(x: 2, y: 40), attenuation: 4)
    #expect(try !passes(PlanPoint(x: 3, y: 20), walls: [wall]))
    #expect(try passes(PlanPoint(x: 2, y: 20), walls: [wall]))
  }

  @Test func `one instruction names a lift and the stairs right after it`() throws {
    let venue = Venue(
      id: "tower", levels: ["ground", "first", "second"].enumerated().map { VenueLevel(id: $1, ordinal: $0) },
      places: [Place(id: "room", level: "second", position: PlanPoint(x: 0, y: 60))],
      nodes: [
        RouteNode(id: "in", level: "ground", position: PlanPoint(x: 0, y: 0)),
        RouteNode(id: "lift", level: "ground", position: PlanPoint(x: 0, y: 20)),
        RouteNode(id: "lift-1", level: "first", position: PlanPoint(x: 0, y: 20)),
        RouteNode(id: "up", level: "second", position: PlanPoint(x: 0, y: 30)),
        RouteNode(id: "room", level: "second", position: PlanPoint(x: 0, y: 60), place: "room"),
      ],
      edges: [
        RouteEdge(from: "in", to: "lift"), RouteEdge(from: "lift-1", to: "up", kind: .stairs), RouteEdge(from: "up", to: "room"),
      ], lifts: [RouteLift(id: "lift", stops: ["lift", "lift-1"])])
    let network = WayNetwork(venue)
    let route = try #require(try network.route(from: Scene.at(0, 0), toPlace: "room"))
    var guide = RouteGuide(route, in: network)
    var told: [Announcement] = []
    for second in 0..<18 {
      let time = Instant(microseconds: Int64(second) * 1_000_000)
      told += guide.update(GuidedPosition(Scene.at(0, Double(second)), accuracy: 0.5, heading: 0, time: time)).announcements
    }
    let approach = try #require(told.first { $0.kind == .approach })
    let changes = approach.manoeuvres.compactMap { manoeuvre in
      if case .changeLevel(let mode, _, let level) = manoeuvre.kind { "\(mode) \(level)" } else { nil }
    }
    #expect(changes == ["lift 1", "stairs 2"] && (4...9).contains(approach.distance), "\(told)")
  }
}
