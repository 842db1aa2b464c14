import Venues

// Landmarks at manoeuvres, and those that a visitor passes.

extension ManoeuvreMaker {
  /// Returns the landmark that marks a point best: the nearest one in sight.
  func landmark(near place: VenuePoint) -> Int? {
    let places = network.venue.places
    let near = (landmarks[place.level] ?? []).map { (index: $0, distance: places[$0].distance(from: place.point)) }
      .filter { $0.distance <= Route.landmarkReach }.sorted { $0.distance < $1.distance }
    return near.prefix(Self.mostVisibilityChecks).first {
      network.floors[place.level].isSeen(places[$0.index].position, from: place.point)
    }?.index
  }

  /// The maximum number of landmarks near a point whose visibility is checked.
  private static let mostVisibilityChecks = 8

  /// Returns the landmarks within reach of the bounds of a route on each level.
  static func landmarks(near route: Route, _ venue: Venue) -> [Int: [Int]] {
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

  /// The minimum distance in metres from a landmark that is passed to another manoeuvre.
  private static let landmarkSpacing = 4.0
  /// The minimum distance in metres from the way to a landmark that has a side.
  private static let leastAside = 0.3

  /// Adds the landmarks that the visitor passes between two manoeuvres.
  mutating func addLandmarks() {
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
