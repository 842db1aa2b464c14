import Venues

/// Makes manoeuvres of a route, one run on foot after the other.
struct ManoeuvreMaker {
  let route: Route
  let network: WayNetwork
  let offsets: [Double]
  var list: [Manoeuvre] = []
  /// The number of legs between levels before each vertex, as progress along the route counts them.
  let changes: [Int]
  /// The landmarks that may be near the route, by the index of their level.
  let landmarks: [Int: [Int]]

  init(_ route: Route, _ network: WayNetwork) {
    self.route = route
    self.network = network
    offsets = route.offsets
    changes = route.legs.indices.reduce(into: [0]) { counts, leg in
      counts.append(counts[leg] + (route.vertices[leg].place.level == route.vertices[leg + 1].place.level ? 0 : 1))
    }
    landmarks = Self.landmarks(near: route, network.venue)
  }

  func point(_ vertex: Int) -> PlanPoint { route.vertices[vertex].place.point }

  func changesLevel(_ leg: Int) -> Bool {
    route.legs[leg].mode != .walk || route.vertices[leg].place.level != route.vertices[leg + 1].place.level
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
      let mode = route.legs[end].mode
      let isDoor = route.vertices[end].isDoor && mode != .lift && mode != .gate && out != nil
      append(.changeLevel(mode, isUp: isUp, level: to), at: end, direction: nil, isAtDoor: isDoor)
      // The direction of a visitor who leaves a lift is only assumed.
      let isKnown = end == first && first > 0 && route.legs[first - 1].mode != .lift
      list[list.count - 1].entry = entry(at: end, cameFrom: isKnown ? arrival : out)
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
    return direction(ofLeg: top - 1, isFlat: route.vertices[bottom].place.level == route.vertices[top].place.level)
  }

  /// Returns the direction of a leg over stairs, a ramp, a walkway or a gate; nil if it has none on the plan.
  private func direction(ofLeg leg: Int, isFlat: Bool) -> Double? {
    let (a, b) = (point(leg), point(leg + 1))
    return a.distance(to: b) >= (isFlat ? 0.1 : 1) ? a.direction(to: b) : nil
  }

  /// Returns the turn into stairs, a ramp, a walkway or a gate; nil if it is straight ahead or unknown.
  private func entry(at vertex: Int, cameFrom: Double?) -> Manoeuvre.Turn? {
    // The way from an inaccurate position to a near staircase has no direction.
    let isAccess = offsets[vertex] < max(Route.bendLength, 2 * (route.startAccuracy ?? 0))
    let isFlat = route.vertices[vertex].place.level == route.vertices[vertex + 1].place.level
    guard route.legs[vertex].mode != .lift, !isAccess, let cameFrom, let ahead = direction(ofLeg: vertex, isFlat: isFlat) else {
      return nil
    }
    return Manoeuvre.Turn(degrees: turn(from: cameFrom, to: ahead))
  }

  private mutating func append(_ kind: Manoeuvre.Kind, at vertex: Int, direction: Double?, isAtDoor: Bool = false) {
    let place = route.vertices[vertex].place
    var manoeuvre = Manoeuvre(
      kind: kind, offset: offsets[vertex], place: place, direction: direction, isAtDoor: isAtDoor, changes: changes[vertex])
    manoeuvre.isOnNewLevel = vertex > 0 && changes[vertex] > changes[vertex - 1]
    // The texts of the other kinds name a place themselves.
    switch kind {
    case .turn, .straight, .door: manoeuvre.landmark = landmark(near: place)
    case .start, .changeLevel, .proceed, .passLandmark, .arrive: break
    }
    list.append(manoeuvre)
  }

  // MARK: A run on foot

  /// Adds the manoeuvres of the vertices from `first` to `end`, and returns the direction at its end.
  private mutating func run(_ first: Int, _ end: Int, from heading: Double?, isFirst: Bool, isLast: Bool) -> Double? {
    let corners = simplified(first, end)
    let segments = zip(corners, corners.dropFirst()).map { (from: $0, to: $1, direction: point($0).direction(to: point($1))) }
    // Short pieces at both ends are not manoeuvres, and neither is the line from an inaccurate position to the nearest way.
    var used = segments[...]
    while used.count > 1, let piece = used.first {
      let isAccess = isFirst && piece.from == 0 && route.legs[..<piece.to].allSatisfy(\.isStraight)
      let shortest = isAccess ? max(Route.bendLength, 2 * (route.startAccuracy ?? 0)) : Route.bendLength
      guard length(piece.from, piece.to) < shortest else { break }
      used = used.dropFirst()
    }
    while used.count > 1, let piece = used.last, length(piece.from, piece.to) < Route.bendLength { used = used.dropLast() }
    let direction = used.first?.direction
    if isFirst, isLast, offsets[end] == 0 {
      // The start is the destination.
    } else if isFirst {
      append(.start(zipped(heading, direction)), at: first, direction: direction)
    } else if !used.isEmpty {
      // Between two level changes at one place there is nothing to walk, so no manoeuvre is added.
      let isDoor = route.vertices[first].isDoor
      if let direction, let heading, let turn = Manoeuvre.Turn(degrees: turn(from: heading, to: direction)) {
        append(.turn(turn), at: first, direction: direction, isAtDoor: isDoor)
      } else {
        // A door after a lift is the door of the lift.
        append(
          direction != nil && heading != nil ? wayOn(from: first) : .proceed(level: route.vertices[first].place.level), at: first,
          direction: direction, isAtDoor: isDoor && route.legs[first - 1].mode != .lift)
      }
    }
    addBends(Array(used), first, end)
    if isLast { append(.arrive(arrivalSide(used.last?.direction)), at: end, direction: nil) }
    return used.last?.direction
  }

  /// Returns the way straight on after stairs, a lift or a gate: through a door if there is one on the same level.
  private func wayOn(from vertex: Int) -> Manoeuvre.Kind {
    let level = route.vertices[vertex].place.level
    return route.vertices[vertex].isDoor && route.vertices[vertex - 1].place.level == level ? .door : .proceed(level: level)
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
        // Both sides of a passage are one door.
        if let last = list.last, last.kind == .door, offsets[vertex] - last.offset < Route.bendLength { continue }
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
}
