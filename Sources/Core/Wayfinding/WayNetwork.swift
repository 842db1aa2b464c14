import Instants
public import Venues

/// The ways through a venue: its points, and the links between them.
///
/// They come from the nodes, edges and lifts of the venue. On a level without edges, the ways are derived from the walkable areas, walls
/// and doors. Create the network once: searches read it and change nothing.
public struct WayNetwork: Sendable {
  /// The height in metres from one level to the next, which a venue does not state.
  static let storeyHeight = VenueLevel.storeyHeight

  public let venue: Venue
  let floors: [LevelFloor]
  private(set) var points: [Point] = []
  /// The links by the point where they begin.
  private(set) var links: [[Link]] = []
  /// The points of each level that visitors can reach on foot: all but those inside lifts.
  private(set) var pointsOfLevel: [[Int]] = []
  /// The levels whose ways are derived.
  public private(set) var derivedLevels: Set<Int> = []
  /// The levels that are too complex to derive ways.
  public private(set) var complexLevels: Set<Int> = []
  /// The doors of each level across which lines of sight may lead.
  private(set) var doors: [[PlanSegment]] = []
  private var wayCount = 0
  /// The ways on the floor of each level, each way once: the point where it begins, and its number there.
  private(set) var floorLinks: [[(from: Int, number: Int)]] = []
  /// The ways on the floor of each level that are closed, lead in one direction only, or are more than floor, such as steps.
  private(set) var restrictedLinks: [[(from: Int, number: Int)]] = []
  /// The restricted ways, and those that are not known to be accessible.
  private(set) var inaccessibleLinks: [[(from: Int, number: Int)]] = []
  /// The ways on foot from each level without a known floor, with which guides compare walks at each position.
  private(set) var directions: [[PlanSegment]] = []
  /// The greatest speed in m/s on the plan of ways whose time is stated, or whose speed is not that of the visitor.
  private(set) var greatestSpeed = 0.0
  /// The links in the form of a search: the links of point `n` are those from `arcStarts[n]` to `arcStarts[n + 1]`.
  private(set) var arcs: [Arc] = []
  private(set) var arcStarts: [Int32] = [0]
  private let nodesOfPlace: [String: [Int]]

  public init(_ venue: Venue) {
    self.venue = venue
    let walls = Dictionary(grouping: venue.walls, by: \.level)
    floors = venue.levels.map { LevelFloor($0, walls: walls[$0.id] ?? []) }
    let levels = Dictionary(venue.levels.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    var indices: [String: Int] = [:]
    var byPlace: [String: [Int]] = [:]
    for (number, node) in venue.nodes.enumerated() {
      guard let level = levels[node.level], indices[node.id] == nil else { continue }
      indices[node.id] = points.count
      if let place = node.place { byPlace[place, default: []].append(points.count) }
      points.append(Point(position: node.position, level: level, isDoor: node.isDoor, node: number))
    }
    nodesOfPlace = byPlace
    links = Array(repeating: [], count: points.count)
    for edge in venue.edges {
      if let from = indices[edge.from], let to = indices[edge.to], from != to { add(edge, from, to) }
    }
    for (number, lift) in venue.lifts.enumerated() { add(lift, number, lift.stops.compactMap { indices[$0] }) }
    doors = venue.levels.map { _ in [] }
    for level in venue.levels.indices { if hasStatedWays(level) { findDoors(level) } else { deriveWays(level) } }
    for point in points.indices {
      arcs += links[point].map { Arc($0) }
      arcStarts.append(Int32(arcs.count))
    }
    floorLinks = venue.levels.indices.map { _ in [] }
    var isKnown = [Bool](repeating: false, count: wayCount)
    for from in points.indices where !points[from].isCabin {
      for (number, link) in links[from].enumerated()
      where link.way >= 0 && points[link.to].level == points[from].level && !link.isForbidden && !isKnown[link.way] {
        isKnown[link.way] = true
        floorLinks[points[from].level].append((from, number))
      }
    }
    restrictedLinks = floorLinks.map { $0.filter { isRestricted($0) } }
    inaccessibleLinks = floorLinks.map { $0.filter { isRestricted($0) || !links[$0.from][$0.number].isAccessible } }
    greatestSpeed = fastest()
    pointsOfLevel = venue.levels.indices.map { level in points.indices.filter { points[$0].level == level && !points[$0].isCabin } }
    directions = venue.levels.indices.map { floors[$0].isUnknown ? ways(from: $0) : [] }
  }

  /// The minimum length in metres of a way that has a direction. Stairs may be drawn as a point.
  private static let leastDirection = 0.5

  /// Returns the ways on a level, and those that lead from there to other levels on foot.
  private func ways(from level: Int) -> [PlanSegment] {
    pointsOfLevel[level].flatMap { from in
      links[from].filter { $0.lift == nil && (points[$0.to].level != level || from < $0.to) }.map {
        PlanSegment(from: points[from].position, to: points[$0.to].position)
      }
    }.filter { $0.from.distance(to: $0.to) >= Self.leastDirection }
  }

  /// Returns whether a way is closed, leads in one direction only, or is more than floor.
  private func isRestricted(_ way: (from: Int, number: Int)) -> Bool {
    let link = links[way.from][way.number]
    guard link.isFloor, !link.isClosed, !link.isForbidden else { return true }
    return back(of: link, from: way.from).map { $0.isClosed || $0.isForbidden } ?? true
  }

  /// Returns the greatest speed on the plan of the ways whose time does not depend on the speed of the visitor.
  private func fastest() -> Double {
    var fastest = 0.0
    for from in points.indices {
      for index in Int(arcStarts[from])..<Int(arcStarts[from + 1]) where arcs[index].seconds < .infinity {
        let arc = arcs[index]
        // The part that the visitor walks is no faster than the visitor.
        let rest = points[from].position.distance(to: points[Int(arc.to)].position) - arc.metres
        if rest > 1e-9 { fastest = max(fastest, arc.seconds > 0 ? rest / arc.seconds : .infinity) }
      }
    }
    return fastest
  }

  private func hasStatedWays(_ level: Int) -> Bool {
    points.indices.contains { points[$0].level == level && links[$0].contains { points[$0.to].level == level && $0.lift == nil } }
  }

  // MARK: Making

  mutating func addPoint(_ point: Point) -> Int {
    points.append(point)
    links.append([])
    return points.count - 1
  }

  mutating func addDerivedWays(_ ways: [(Int, Int)], level: Int) {
    derivedLevels.insert(level)
    let isAccessible = venue.levels[level].wheelchair == .yes
    for (a, b) in ways {
      let length = points[a].position.distance(to: points[b].position)
      links[a].append(Link(to: b, mode: .walk, length: length, isAccessible: isAccessible, isStated: false, way: wayCount))
      links[b].append(Link(to: a, mode: .walk, length: length, isAccessible: isAccessible, isStated: false, way: wayCount))
      wayCount += 1
    }
  }

  mutating func markAsComplex(_ level: Int) { complexLevels.insert(level) }

  mutating func setDoors(_ lines: [PlanSegment], level: Int) { doors[level] = lines }

  mutating func markAsDoor(_ point: Int) { points[point].isDoor = true }

  private mutating func add(_ edge: RouteEdge, _ from: Int, _ to: Int) {
    let rise = venue.levels[points[to].level].ordinal - venue.levels[points[from].level].ordinal
    let flat = points[from].position.distance(to: points[to].position)
    let straight = (flat * flat + Double(rise * rise) * Self.storeyHeight * Self.storeyHeight).squareRoot()
    var link = Link(
      to: to, mode: Route.Mode(edge.kind), length: edge.length.map { max(flat, $0) } ?? straight, fixedTime: edge.time?.seconds,
      isAccessible: edge.wheelchair == .yes, isClosed: edge.isClosed)
    // A way on the floor without a statement is as accessible as its level. Stairs and ways between levels must state it.
    if edge.wheelchair == .unknown, points[from].level == points[to].level, edge.kind != .stairs, edge.kind != .escalator {
      link.isAccessible = venue.levels[points[from].level].wheelchair == .yes
    }
    link.hazards = Self.hazards(of: edge)
    link.way = wayCount
    wayCount += 1
    links[from].append(link)
    link.to = from
    link.isForbidden = !edge.isTwoWay
    links[to].append(link)
  }

  /// The steepest ramp that a wheelchair climbs: one in twelve, as in OpenTripPlanner.
  private static let mostSlope = 0.083
  /// The minimum width in metres of a way for a wheelchair (ISO 21542, 7.2).
  private static let leastWidth = 0.9

  private static func hazards(of edge: RouteEdge) -> Int {
    var hazards = 0
    switch edge.kind {
    case .stairs, .escalator: hazards += 2
    case .movingWalkway: hazards += 1
    case .ramp: hazards += edge.slope.map { $0 <= mostSlope ? 0 : 1 } ?? 1
    case .walk, .gate: hazards += edge.slope.map { $0 <= mostSlope ? 0 : 1 } ?? 0
    }
    if let width = edge.width, width < leastWidth { hazards += 1 }
    return hazards
  }

  /// A lift is boarded once, however many levels it passes: each stop has a point inside the lift.
  private mutating func add(_ lift: RouteLift, _ number: Int, _ stops: [Int]) {
    guard stops.count > 1 else { return }
    let inOrder = stops.sorted { venue.levels[points[$0].level].ordinal < venue.levels[points[$1].level].ordinal }
    var below: Int?
    for stop in inOrder {
      let cabin = addPoint(Point(position: points[stop].position, level: points[stop].level, isCabin: true))
      var link = Link(
        to: cabin, mode: .lift, length: 0, fixedTime: lift.boardTime.seconds, isAccessible: lift.wheelchair == .yes,
        isClosed: lift.isClosed,
        lift: number)
      links[stop].append(link)
      (link.to, link.fixedTime) = (stop, 0)
      links[cabin].append(link)
      if let below {
        let rise = abs(venue.levels[points[stop].level].ordinal - venue.levels[points[below].level].ordinal)
        (link.to, link.fixedTime) = (below, lift.levelTime.seconds * Double(max(1, rise)))
        links[cabin].append(link)
        link.to = cabin
        links[below].append(link)
      }
      below = cabin
    }
  }

  // MARK: Reading

  /// Returns the link of the same way in the other direction.
  func back(of link: Link, from: Int) -> Link? {
    links[link.to].first { $0.to == from && $0.way == link.way && $0.lift == link.lift }
  }

  /// Returns the points that lead to a place, as nodes state it.
  func points(leadingTo place: String) -> [Int] { nodesOfPlace[place] ?? [] }

  /// Returns the index of a level; nil if the venue has none with this id.
  public func level(_ id: String) -> Int? { venue.levels.firstIndex { $0.id == id } }
}
