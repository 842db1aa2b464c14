import Instants
import Venues

/// A part of a route that ends at a point: a straight line over the floor, or a link of the network.
struct RoutePiece {
  var to: VenuePoint
  /// The point of the network at the end; nil for another one.
  var point: Int?
  /// The link; nil for a straight line.
  var link: WayNetwork.Link?
  /// Metres.
  var length: Double
  var seconds: Double
  var isAccessible: Bool
  /// Whether the piece ends at a door that no point of the network marks.
  var isAtDoor = false
}

extension RoutePiece {
  /// Returns a part of the piece that ends at a point.
  ///
  /// - Parameter share: the share of the length, 0...1.
  fileprivate func part(_ share: Double, to end: VenuePoint) -> RoutePiece {
    var part = self
    (part.to, part.length, part.seconds) = (end, share * length, share * seconds)
    return part
  }
}

extension Route {
  /// Joins the parts of a way from a start.
  init(from start: VenuePoint, _ pieces: [RoutePiece], to destination: Destination, in network: WayNetwork) {
    var vertices = [Vertex(place: start, isDoor: false, node: nil, branches: [])]
    var legs: [Leg] = []
    var points: [Int?] = [nil]
    for piece in pieces.reduce(into: [RoutePiece](), { $0 += network.cutAtDoors($1, from: $0.last?.to ?? start) }) {
      let last = vertices.count - 1
      // A part without length on one level adds only the point that it reaches.
      if piece.link?.lift == nil, piece.length < 0.01, piece.to.level == vertices[last].place.level, piece.seconds < 0.01 {
        if let point = piece.point {
          points[last] = point
          vertices[last].isDoor = network.points[point].isDoor
        }
        continue
      }
      if let lift = piece.link?.lift, let leg = legs.last, leg.lift == lift {
        // Waiting, riding and leaving are one leg.
        legs[legs.count - 1].time = leg.time + .seconds(piece.seconds)
        vertices[last].place = piece.to
        points[last] = piece.point
        continue
      }
      legs.append(
        Leg(
          mode: piece.link?.mode ?? .walk, length: piece.length, time: .seconds(piece.seconds), lift: piece.link?.lift,
          isAccessible: piece.isAccessible, hazards: piece.link?.hazards ?? 0,
          isStraight: piece.link == nil))
      vertices.append(
        Vertex(place: piece.to, isDoor: piece.isAtDoor, node: nil, branches: []))
      points.append(piece.point)
    }
    for (number, point) in points.enumerated() {
      guard let point else { continue }
      vertices[number].isDoor = network.points[point].isDoor
      vertices[number].node = network.points[point].node.map { network.venue.nodes[$0].id }
      vertices[number].branches = network.branches(at: point, number, vertices)
    }
    self.init(vertices: vertices, legs: legs, destination: destination, startAccuracy: nil)
  }
}

extension WayNetwork {
  /// The distance in metres from the end of a line at which a door belongs to that end.
  private static let leastCut = 0.1

  /// Returns the parts of a line of sight between the doors through which it leads. Any other piece stays whole.
  fileprivate func cutAtDoors(_ piece: RoutePiece, from start: VenuePoint) -> [RoutePiece] {
    guard piece.link.map({ !$0.isStated }) ?? true, start.level == piece.to.level, piece.length > 0 else { return [piece] }
    let line = PlanSegment(from: start.point, to: piece.to.point)
    let gaps = doors[start.level].compactMap { $0.intersection(with: line) }.map { (share: line.share(nearestTo: $0), node: nil as Int?) }
    let nodes = pointsOfLevel[start.level].filter { isDoor($0, passedBy: line, level: start.level) }
      .map { (share: line.share(nearestTo: points[$0].position), node: Optional($0)) }
    var (parts, done): ([RoutePiece], Double) = ([], 0)
    for (share, node) in (gaps + nodes).sorted(by: { $0.share < $1.share }) {
      guard (share - done) * line.length > Self.leastCut, (1 - share) * line.length > Self.leastCut else { continue }
      var part = piece.part(share - done, to: VenuePoint(line.from.towards(line.to, share), level: start.level))
      (part.point, part.isAtDoor) = (node, true)
      parts.append(part)
      done = share
    }
    return parts + [piece.part(1 - done, to: piece.to)]
  }

  /// The distances in metres from a door node within which a line passes the door, and within which a gap is that door.
  private static let (doorReach, doorGap) = (0.5, 1.0)

  /// Returns whether a line leads through a door that only a node states: along the ways on both sides of the node.
  private func isDoor(_ point: Int, passedBy line: PlanSegment, level: Int) -> Bool {
    let position = points[point].position
    guard points[point].isDoor, line.distance(to: position) <= Self.doorReach,
      !doors[level].contains(where: { $0.distance(to: position) <= Self.doorGap })
    else { return false }
    let ahead = line.from.direction(to: line.to)
    let angles = links[point].filter { $0.isStated && points[$0.to].level == level }
      .map { abs(turn(from: ahead, to: position.direction(to: points[$0.to].position))) }
    return angles.contains { $0 < 45 } && angles.contains { $0 > 135 }
  }

  /// Returns the directions of the stated ways from a point that the route does not take.
  fileprivate func branches(at point: Int, _ number: Int, _ vertices: [Route.Vertex]) -> [Double] {
    let here = points[point]
    let neighbours = [number - 1, number + 1].filter(vertices.indices.contains).map { vertices[$0].place }
    return links[point].compactMap { link in
      let to = points[link.to]
      guard link.isStated, !link.isForbidden, link.lift == nil, to.level == here.level else { return nil }
      let direction = here.position.direction(to: to.position)
      let isTaken = neighbours.contains {
        $0.level == here.level && abs(turn(from: here.position.direction(to: $0.point), to: direction)) < 10
      }
      return isTaken ? nil : direction
    }
  }
}
