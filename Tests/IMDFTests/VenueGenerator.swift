import Beacons
import Geodesy
import Instants
import Seeds
import Venues

/// Random venues with everything that both a venue file and an archive with this program's extensions can contain.
struct VenueGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func venue() -> Venue {
    let uuid = BeaconUUID(high: random.next(), low: random.next())
    let origin = Coordinate(latitude: number(-70...70), longitude: number(-179...179))
    var venue = Venue(
      id: "venue-\(Int.random(in: 1...99, using: &random))", name: text("Venue"), uuids: [uuid], roles: [1: "entry", 2: "exhibit"],
      frame: origin.map { VenueFrame(origin: $0, bearing: (number(-180...180) * 10).rounded() / 10) },
      levels: (0..<Int.random(in: 1...4, using: &random)).map { level($0 - 1) })
    let levels = venue.levels.map(\.id)
    for minor in 1...Int.random(in: 1...6, using: &random) {
      venue.beacons.append(
        PlannedBeacon(
          identity: BeaconIdentity(uuid: uuid, major: 2, minor: UInt16(minor)), level: pick(levels), position: point(),
          height: maybe(2.5), power: maybe(-61.5), name: maybe("above door \(minor)")))
    }
    for index in 0..<Int.random(in: 0...8, using: &random) { venue.places.append(place(index, levels, venue.beacons)) }
    for index in 0..<Int.random(in: 0...3, using: &random) {
      venue.walls.append(VenueWall(level: pick(levels), from: point(), to: PlanPoint(x: Double(200 + index), y: 3), attenuation: 6.5))
    }
    for index in 0..<Int.random(in: 2...6, using: &random) {
      let place = maybe(venue.places.first?.id) ?? nil
      venue.nodes.append(
        RouteNode(
          id: "node-\(index)", level: levels[index % levels.count], position: point(), place: place, isDoor: Bool.random(using: &random)))
    }
    for index in 1..<venue.nodes.count { venue.edges.append(edge(venue.nodes[index - 1].id, venue.nodes[index].id)) }
    if levels.count > 1 {
      venue.lifts = [
        RouteLift(
          id: "lift", stops: venue.nodes.prefix(levels.count).prefix(2).map(\.id), boardTime: .seconds(60), levelTime: .seconds(15),
          wheelchair: .yes, isClosed: Bool.random(using: &random))
      ]
    }
    return venue
  }

  private mutating func level(_ ordinal: Int) -> VenueLevel {
    let hasAreas = Bool.random(using: &random)
    return VenueLevel(
      id: "level\(ordinal)", ordinal: ordinal, name: text("Floor \(ordinal)"), shortName: text("\(ordinal)"),
      walkable: hasAreas ? (0..<Int.random(in: 1...3, using: &random)).compactMap { area(at: Double($0) * 40) } : [],
      voids: hasAreas ? [area(at: 10)].compactMap(\.self) : [],
      wheelchair: pick(WheelchairAccess.allCases))
  }

  /// Returns a convex area that is counterclockwise.
  private mutating func area(at x: Double) -> PlanPolygon? {
    let (width, height) = (number(3...30).rounded(), number(3...20).rounded())
    return PlanPolygon(
      ring: [(0, 0), (width, 0), (width + 1, height / 2), (width, height), (0, height)].map { PlanPoint(x: x + $0.0, y: 1 + $0.1) })
  }

  private mutating func place(_ index: Int, _ levels: [String], _ beacons: [PlannedBeacon]) -> Place {
    Place(
      id: "place-\(index)", kind: pick(Place.Kind.allCases), level: pick(levels), position: point(), area: maybe(area(at: 5)) ?? nil,
      radius: maybe(4), beacon: maybe(pick(beacons).identity), title: text("Place \(index)"), text: text("First line\nSecond line"),
      links: maybe([Place.Link(address: "https://example.org/\(index)", title: text("More"))]) ?? [], image: maybe("place.jpg"),
      audio: maybe(["en": "place.ogg"]) ?? LocalizedText(), isLandmark: Bool.random(using: &random))
  }

  private mutating func edge(_ from: String, _ to: String) -> RouteEdge {
    RouteEdge(
      from: from, to: to, kind: pick(RouteEdge.Kind.allCases), isTwoWay: Bool.random(using: &random),
      wheelchair: pick(WheelchairAccess.allCases), length: maybe(12.5), time: maybe(.seconds(20)), steps: maybe(14),
      slope: maybe(0.06), width: maybe(1.2), isClosed: Bool.random(using: &random))
  }

  // MARK: Values

  private mutating func text(_ text: String) -> LocalizedText {
    switch Int.random(in: 0...2, using: &random) {
    case 0: LocalizedText()
    case 1: ["en": text]
    default: ["en": text, "de": "\(text) (de)", "pt-BR": "\(text) \"&\" <"]
    }
  }

  private mutating func point() -> PlanPoint { PlanPoint(x: number(-20...150), y: number(-20...60)) }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    (Double.random(in: range, using: &random) * 1000).rounded() / 1000
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }

  /// Returns the value or nil.
  private mutating func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &random) ? value : nil }
}

extension Venue {
  /// The venue without positions, with its places by id: an archive has occupants and amenities in files of their own.
  var withoutPositions: Venue {
    var venue = self
    let zero = PlanPoint(x: 0, y: 0)
    for index in venue.levels.indices { (venue.levels[index].walkable, venue.levels[index].voids) = ([], []) }
    for index in venue.beacons.indices { venue.beacons[index].position = zero }
    for index in venue.places.indices { (venue.places[index].position, venue.places[index].area) = (zero, nil) }
    for index in venue.nodes.indices { venue.nodes[index].position = zero }
    venue.walls = venue.walls.map { VenueWall(level: $0.level, from: zero, to: zero, attenuation: $0.attenuation) }
    venue.places.sort { $0.id < $1.id }
    return venue
  }

  /// All positions in a fixed order.
  var positions: [PlanPoint] {
    var points = levels.flatMap { ($0.walkable + $0.voids).flatMap(\.ring) }
    points += beacons.map(\.position) + nodes.map(\.position) + walls.flatMap { [$0.from, $0.to] }
    for place in places.sorted(by: { $0.id < $1.id }) { points += [place.position] + (place.area?.ring ?? []) }
    return points
  }
}
