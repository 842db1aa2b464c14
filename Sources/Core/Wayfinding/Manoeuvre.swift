import Venues

/// One thing that a visitor does on a route.
public struct Manoeuvre: Hashable, Sendable {
  public enum Side: String, CaseIterable, Sendable {
    case left, right
  }

  public enum Kind: Hashable, Sendable {
    /// The beginning, in a direction relative to the visitor's own; nil if that is unknown.
    case start(Turn?)
    /// Straight on where other ways branch off.
    case straight
    case turn(Turn)
    /// Straight on through a door.
    case door
    /// A way to another level, or over steps on one level; the direction is nil between levels of one height.
    case changeLevel(Route.Mode, isUp: Bool?, level: Int)
    /// The way on from stairs or a lift, where directions are not known.
    case proceed(level: Int)
    case passLandmark(Side)
    /// The end; the side on which the destination lies, nil for straight ahead.
    case arrive(Side?)
  }

  /// A change of direction.
  public struct Turn: Hashable, Sendable {
    public enum Sharpness: String, CaseIterable, Sendable {
      case slight, usual, sharp, around
    }

    public var side: Side
    public var sharpness: Sharpness

    public init(side: Side, sharpness: Sharpness) {
      self.side = side
      self.sharpness = sharpness
    }

    /// - Parameter degrees: positive to the right; below 25 either way it is straight on, and there is no turn.
    public init?(degrees: Double) {
      side = degrees < 0 ? .left : .right
      switch abs(degrees) {
      case ..<25: return nil
      case ..<60: sharpness = .slight
      case ..<120: sharpness = .usual
      case ..<165: sharpness = .sharp
      default: sharpness = .around
      }
    }
  }

  public var kind: Kind
  /// Metres along the route.
  public var offset: Double
  public var place: VenuePoint
  /// Metres to the next manoeuvre; 0 for the last one.
  public var length = 0.0
  /// The direction in which the visitor leaves, in degrees clockwise from the y axis of the plan; nil for the end.
  public var direction: Double?
  /// Whether a door is here.
  public var isAtDoor = false
  /// The index in the venue's `places` of the landmark at this point, or of the one that is passed.
  public var landmark: Int?
  /// The number of legs between levels before this manoeuvre.
  /// Several flights of stairs are one manoeuvre, and steps on a level are no such leg.
  public var changes = 0

  /// Whether it is a change of direction or of level that a visitor can miss.
  public var isDecision: Bool {
    switch kind {
    case .straight, .turn, .changeLevel, .door: true
    case .start, .proceed, .passLandmark, .arrive: false
    }
  }
}

extension Route {
  /// The distance in metres below which bends belong together, and two turns are one.
  static let bendLength = 2.0
  /// The distance in metres by which a way may differ from a straight line without being a turn.
  static let straightness = 0.6
  /// The distance in metres within which a landmark marks a point, or is passed.
  static let landmarkReach = 5.0

  /// Metres along the route to each vertex.
  var offsets: [Double] { legs.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.length) } }

  /// Returns the manoeuvres from the start to the end.
  ///
  /// - Parameters:
  ///   - heading: the direction of the visitor in degrees clockwise from the y axis of the plan; nil if it is unknown.
  public func manoeuvres(in network: WayNetwork, heading: Double? = nil) -> [Manoeuvre] {
    var maker = ManoeuvreMaker(self, network)
    return maker.make(heading: heading)
  }
}

/// Makes manoeuvres of a route, one run on foot after the other.
private struct ManoeuvreMaker {
  private let route: Route
  private let network: WayNetwork
  private let offsets: [Double]
  private var list: [Manoeuvre] = []
  /// The number of legs between levels before each vertex, as progress along the route counts them.
  private let changes: [Int]
  /// The landmarks that may be near the route, by the index of their level.
  private let landmarks: [Int: [Int]]

  init(_ route: Route, _ network: WayNetwork) {
    self.route = route
    self.network = network
    offsets = route.offsets
    changes = route.legs.indices.reduce(into: [0]) { counts, leg in
      counts.append(counts[leg] + (route.vertices[leg].place.level == route.vertices[leg + 1].place.level ? 0 : 1))
    }
    landmarks = Self.landmarks(near: route, network.venue)
  }

  private func point(_ vertex: Int) -> PlanPoint { route.vertices[vertex].place.point }

  private func changesLevel(_ leg: Int) -> Bool {
    let (mode, from, to) = (route.legs[leg].mode, route.vertices[leg].place.level, route.vertices[leg + 1].place.level)
    return from != to || mode == .lift || mode == .stairs || mode == .escalator
  }

  mutating func make(heading: Double?) -> [Manoeuvre] {
    let heading = heading.flatMap { $0.isFinite ? $0 : nil }
    var first = 0
    var arrival: Double?
    let last = route.vertices.count - 1
    while true {
      var end = first
      while end < last, !changesLevel(end) { end += 1 }
      let out = run(first, end, from: first == 0 ? heading : arrival, isFirst: first == 0, isLast: end == last)
      guard end < last else { break }
      // Stairs in several flights, and a lift after stairs, are one change if nothing lies between.
      var top = end + 1
      while top < last, changesLevel(top), route.legs[top].mode == route.legs[end].mode, route.legs[top].lift == route.legs[end].lift {
        top += 1
      }
      let (from, to) = (route.vertices[end].place.level, route.vertices[top].place.level)
      let (below, above) = (network.venue.levels[from].ordinal, network.venue.levels[to].ordinal)
      let isUp = below == above ? nil : above > below
      append(.changeLevel(route.legs[end].mode, isUp: isUp, level: to), at: end, direction: nil)
      arrival = direction(after: end, to: top, cameFrom: out)
      first = top
    }
    for number in list.indices.dropLast() { list[number].length = max(0, list[number + 1].offset - list[number].offset) }
    addLandmarks()
    return list
  }

  /// Returns the direction of a visitor who leaves stairs or a lift; nil if it is unknown.
  ///
  /// A visitor leaves a lift by the door through which they came, and stairs in the direction in which they lie on the plan.
  private func direction(after bottom: Int, to top: Int, cameFrom: Double?) -> Double? {
    if route.legs[bottom].mode == .lift { return cameFrom.map { $0 + 180 } }
    let (a, b) = (point(top - 1), point(top))
    return a.distance(to: b) >= 1 ? a.direction(to: b) : nil
  }

  private mutating func append(_ kind: Manoeuvre.Kind, at vertex: Int, direction: Double?, isAtDoor: Bool = false) {
    let place = route.vertices[vertex].place
    var manoeuvre = Manoeuvre(
      kind: kind, offset: offsets[vertex], place: place, direction: direction, isAtDoor: isAtDoor, changes: changes[vertex])
    // The other kinds say where they are.
    switch kind {
    case .turn, .straight, .door: manoeuvre.landmark = landmark(near: place)
    case .start, .changeLevel, .proceed, .passLandmark, .arrive: break
    }
    list.append(manoeuvre)
  }

  /// Returns the landmark that marks a point best: the nearest one in sight.
  private func landmark(near place: VenuePoint) -> Int? {
    let places = network.venue.places
    let near = (landmarks[place.level] ?? []).map { (index: $0, distance: places[$0].distance(from: place.point)) }
      .filter { $0.distance <= Route.landmarkReach }.sorted { $0.distance < $1.distance }
    return near.prefix(Self.mostLooks).first { network.floors[place.level].isSeen(places[$0.index].position, from: place.point) }?.index
  }

  /// The most landmarks near a point of which the sight is checked.
  private static let mostLooks = 8

  /// Returns the landmarks within reach of the bounds of a route on each level.
  private static func landmarks(near route: Route, _ venue: Venue) -> [Int: [Int]] {
    let reach = Route.landmarkReach
    var bounds: [String: (level: Int, bounds: PlanBounds)] = [:]
    for place in route.vertices.map(\.place) {
      let id = venue.levels[place.level].id
      for (x, y) in [(-reach, -reach), (reach, reach)] {
        let point = PlanPoint(x: place.point.x + x, y: place.point.y + y)
        bounds[id, default: (place.level, PlanBounds(least: point, most: point))].bounds.include(point)
      }
    }
    var landmarks: [Int: [Int]] = [:]
    for (index, place) in venue.places.enumerated() where place.isLandmark && index != route.destination.index {
      guard let known = bounds[place.level] else { continue }
      let isNear = known.bounds.contains(place.position) || place.area?.bounds.intersects(known.bounds) ?? false
      if isNear { landmarks[known.level, default: []].append(index) }
    }
    return landmarks
  }

  // MARK: A run on foot

  /// Adds the manoeuvres of the vertices from `first` to `end`, and returns the direction at its end.
  private mutating func run(_ first: Int, _ end: Int, from heading: Double?, isFirst: Bool, isLast: Bool) -> Double? {
    let corners = simplified(first, end)
    let segments = zip(corners, corners.dropFirst()).map { (from: $0, to: $1, direction: point($0).direction(to: point($1))) }
    // Short pieces at both ends have no meaning of their own, nor has the way of an inaccurate position to the nearest way.
    var used = segments[...]
    while used.count > 1, let piece = used.first {
      let isAccess = isFirst && piece.from == 0 && piece.to == 1 && route.legs[0].isStraight
      let shortest = isAccess ? max(Route.bendLength, 2 * (route.startAccuracy ?? 0)) : Route.bendLength
      guard length(piece.from, piece.to) < shortest else { break }
      used = used.dropFirst()
    }
    while used.count > 1, let piece = used.last, length(piece.from, piece.to) < Route.bendLength { used = used.dropLast() }
    let direction = used.first?.direction
    if isFirst {
      append(.start(zipped(heading, direction)), at: first, direction: direction)
    } else if !isLast || used.count > 0 {
      if let direction, let heading {
        // The turn after stairs or a lift.
        append(
          Manoeuvre.Turn(degrees: turn(from: heading, to: direction)).map { .turn($0) }
            ?? .proceed(level: route.vertices[first].place.level),
          at: first, direction: direction)
      } else {
        append(.proceed(level: route.vertices[first].place.level), at: first, direction: direction)
      }
    }
    addBends(Array(used), first, end)
    if isLast { append(.arrive(arrivalSide(used.last?.direction)), at: end, direction: nil) }
    return used.last?.direction
  }

  private func zipped(_ heading: Double?, _ direction: Double?) -> Manoeuvre.Turn? {
    guard let heading, let direction else { return nil }
    return Manoeuvre.Turn(degrees: turn(from: heading, to: direction))
  }

  private func length(_ a: Int, _ b: Int) -> Double { point(a).distance(to: point(b)) }

  /// Adds turns, crossings and doors within a run.
  private mutating func addBends(_ segments: [(from: Int, to: Int, direction: Double)], _ first: Int, _ end: Int) {
    var number = 1
    var turned: [Int: (kind: Manoeuvre.Kind, direction: Double)] = [:]
    var covered: Set<Int> = []
    while number < segments.count {
      let before = segments[number - 1].direction
      let vertex = segments[number].from
      var after = number
      // Bends within two metres are one turn.
      while after + 1 < segments.count, length(segments[after].from, segments[after].to) < Route.bendLength { after += 1 }
      if let change = Manoeuvre.Turn(degrees: turn(from: before, to: segments[after].direction)) {
        turned[vertex] = (.turn(change), segments[after].direction)
        covered.formUnion(vertex...segments[after].from)
      }
      number = after + 1
    }
    guard let start = segments.first?.from, let stop = segments.last?.to else { return }
    for vertex in first...end where vertex > first && vertex < end {
      let isDoor = route.vertices[vertex].isDoor
      if let turn = turned[vertex] {
        let isNearDoor = (first + 1..<end).contains {
          route.vertices[$0].isDoor && abs(offsets[$0] - offsets[vertex]) < Route.bendLength
        }
        append(turn.kind, at: vertex, direction: turn.direction, isAtDoor: isNearDoor)
        continue
      }
      guard !covered.contains(vertex), vertex > start || isDoor, vertex < stop || isDoor, vertex + 1 < route.vertices.count else {
        continue
      }
      // A turn next to a door names it.
      if turned.keys.contains(where: { abs(offsets[$0] - offsets[vertex]) < Route.bendLength }) { continue }
      let ahead = point(vertex).direction(to: point(vertex + 1))
      if isDoor {
        append(.door, at: vertex, direction: ahead, isAtDoor: true)
      } else if route.vertices[vertex].branches.contains(where: { (45...135).contains(abs(turn(from: ahead, to: $0))) }) {
        append(.straight, at: vertex, direction: ahead)
      }
    }
  }

  /// Returns the vertices that remain if a line within `straightness` replaces the others.
  ///
  /// Douglas and Peucker, Cartographica 10 (1973).
  private func simplified(_ first: Int, _ end: Int) -> [Int] {
    guard end > first + 1 else { return first == end ? [first] : [first, end] }
    var kept: Set<Int> = [first, end]
    var open = [(first, end)]
    while let (a, b) = open.popLast() {
      guard b > a + 1 else { continue }
      let line = PlanSegment(from: point(a), to: point(b))
      var (farthest, most) = (a, Route.straightness)
      for vertex in a + 1..<b {
        let distance = line.distance(to: point(vertex))
        if distance > most { (farthest, most) = (vertex, distance) }
      }
      guard farthest > a else { continue }
      kept.insert(farthest)
      open += [(a, farthest), (farthest, b)]
    }
    let sorted = kept.sorted()
    return sorted.enumerated().filter { $0.offset == 0 || length(sorted[$0.offset - 1], $0.element) > 0.01 }.map(\.element)
  }

  /// Returns the side of the destination for a visitor who comes in a direction; nil for straight ahead.
  private func arrivalSide(_ direction: Double?) -> Manoeuvre.Side? {
    let (end, target) = (route.end.point, route.destination.place.point)
    var to = target
    var from = end
    if end.distance(to: target) < 0.3 {
      // The place itself is the end: a short last piece leads aside to it.
      let last = route.vertices.count - 1
      guard last > 0 else { return nil }
      (from, to) = (point(last - 1), end)
      guard from.distance(to: to) < Route.bendLength else { return nil }
    }
    guard let direction, from != to else { return nil }
    let angle = turn(from: direction, to: from.direction(to: to))
    return abs(angle) < 30 ? nil : angle < 0 ? .left : .right
  }

  // MARK: Landmarks

  /// The least metres from a landmark that is passed to another manoeuvre.
  private static let landmarkSpacing = 4.0
  /// The least metres from the way to a landmark that has a side.
  private static let leastAside = 0.3

  /// Adds the landmarks that the visitor passes between two manoeuvres.
  private mutating func addLandmarks() {
    let venue = network.venue
    guard !landmarks.isEmpty else { return }
    let named = Set(list.compactMap(\.landmark))
    var passed: [Manoeuvre] = []
    for (level, index) in landmarks.sorted(by: { $0.key < $1.key }).flatMap({ pair in pair.value.map { (pair.key, $0) } })
    where !named.contains(index) {
      let place = venue.places[index]
      var best: (distance: Double, leg: Int, share: Double)?
      for leg in route.legs.indices where !changesLevel(leg) {
        guard route.vertices[leg].place.level == level else { continue }
        let segment = PlanSegment(from: point(leg), to: point(leg + 1))
        let distance = segment.distance(to: place.position)
        if distance <= Route.landmarkReach, distance < best?.distance ?? .infinity {
          best = (distance, leg, segment.share(nearestTo: place.position))
        }
      }
      guard let best else { continue }
      let segment = PlanSegment(from: point(best.leg), to: point(best.leg + 1))
      let offset = offsets[best.leg] + route.legs[best.leg].length * best.share
      guard segment.length > 0, !(list + passed).contains(where: { abs($0.offset - offset) < Self.landmarkSpacing }) else { continue }
      let foot = segment.from.towards(segment.to, best.share)
      // A landmark on the way has no side.
      guard best.distance >= Self.leastAside, network.floors[level].isSeen(place.position, from: foot) else { continue }
      let direction = segment.from.direction(to: segment.to)
      let side: Manoeuvre.Side = turn(from: direction, to: foot.direction(to: place.position)) < 0 ? .left : .right
      var manoeuvre = Manoeuvre(
        kind: .passLandmark(side), offset: offset, place: VenuePoint(foot, level: route.vertices[best.leg].place.level),
        direction: direction)
      manoeuvre.landmark = index
      manoeuvre.changes = changes[best.leg]
      passed.append(manoeuvre)
    }
    guard !passed.isEmpty else { return }
    list = (list + passed).enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    for number in list.indices.dropLast() { list[number].length = max(0, list[number + 1].offset - list[number].offset) }
  }
}
