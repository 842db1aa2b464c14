import HeapModule
import Instants
import Venues

/// One search on a network.
///
/// The search is A* (IEEE Transactions on Systems Science and Cybernetics 4 (1968) 100) over hazards and seconds, in this order. The
/// straight line at the greatest speed never takes longer than a way, so the first route that is found is the best one.
struct RouteSearch {
  typealias Permission = WayNetwork.Permission

  private struct Cost: Comparable {
    var hazards: Int32
    var seconds: Double

    static func < (a: Cost, b: Cost) -> Bool { a.hazards != b.hazards ? a.hazards < b.hazards : a.seconds < b.seconds }

    static func + (a: Cost, b: Cost) -> Cost { Cost(hazards: a.hazards + b.hazards, seconds: a.seconds + b.seconds) }
  }

  private struct Candidate: Comparable {
    /// A lower bound of the cost of a route through the point.
    var bound: Cost
    var point: Int32
    /// The cost up to the point.
    var seconds: Double

    static func < (a: Candidate, b: Candidate) -> Bool { a.bound == b.bound ? a.point < b.point : a.bound < b.bound }
    static func == (a: Candidate, b: Candidate) -> Bool { a.bound == b.bound && a.point == b.point }
  }

  /// The step by which a search reached a point: a link of a point, or an entry.
  struct Step {
    /// The point where the link begins; -1 for an entry, -2 for a point that was not reached.
    var from: Int32
    /// The number of the link or of the entry.
    var number: Int32

    static let none = Step(from: -2, number: 0)
  }

  let network: WayNetwork
  let profile: RouteProfile
  private(set) var start = VenuePoint(PlanPoint(x: 0, y: 0), level: 0)
  private(set) var end = VenuePoint(PlanPoint(x: 0, y: 0), level: 0)
  private(set) var destination: Route.Destination?
  private(set) var (entries, exits): ([WayNetwork.Access], [WayNetwork.Access]) = ([], [])
  private var (startFeet, endFeet): ([WayNetwork.Foot], [WayNetwork.Foot]) = ([], [])
  /// The distance in metres from the start to the floor.
  private(set) var startShift = 0.0
  private var accuracy = 0.0
  /// Whether the route begins at a node that leads to the place of the start, and ends at one that leads to the destination.
  private(set) var (startIsStated, endIsStated) = (false, false)
  /// Whether each exit is a destination, and the route ends at the best one.
  private var endsAnywhere = false

  init(_ network: WayNetwork, _ profile: RouteProfile) {
    self.network = network
    self.profile = profile
  }

  mutating func setStart(_ start: VenuePoint, accuracy: Double, place: String?) throws(RouteError) {
    let stated = place.map(network.points(leadingTo:)) ?? []
    guard stated.isEmpty else {
      entries = stated.map { WayNetwork.Access(point: $0, straight: 0) }
      self.start = start
      startIsStated = true
      return
    }
    let floor = network.floors[start.level]
    guard let point = floor.nearestWalkable(to: start.point) else { throw .startOutside(metres: .infinity) }
    startShift = point.distance(to: start.point)
    guard startShift <= max(WayNetwork.mostReach, 3 * accuracy) else { throw .startOutside(metres: startShift) }
    self.start = VenuePoint(point, level: start.level)
    self.accuracy = accuracy
  }

  mutating func setDestination(_ destination: Route.Destination) throws(RouteError) {
    self.destination = destination
    let level = destination.place.level
    let stated = destination.index.map { network.points(leadingTo: network.venue.places[$0].id) } ?? []
    // A node that leads to the place is its entrance.
    guard stated.isEmpty else {
      exits = stated.map { WayNetwork.Access(point: $0, straight: 0) }
      end = destination.place
      endIsStated = true
      return
    }
    guard let point = network.floors[level].nearestWalkable(to: destination.place.point) else {
      throw .destinationOutside(metres: .infinity)
    }
    let shift = point.distance(to: destination.place.point)
    guard shift <= WayNetwork.mostReach else { throw .destinationOutside(metres: shift) }
    end = VenuePoint(point, level: level)
  }

  /// Lets the route end at any of the points of a level.
  mutating func setDestinations(_ points: [Int], level: Int) {
    exits = points.map { WayNetwork.Access(point: $0, straight: 0) }
    end.level = level
    (endIsStated, endsAnywhere) = (true, true)
  }

  /// Finds the connections of both ends by ways that a search takes.
  private mutating func connect(_ permission: Permission) {
    if !startIsStated {
      (entries, startFeet) = network.accesses(to: start.point, level: start.level, accuracy: accuracy, isStart: true, permission)
    }
    guard !endIsStated else { return }
    (exits, endFeet) = network.accesses(to: end.point, level: end.level, accuracy: 0, isStart: false, permission)
  }

  // MARK: Costs

  /// Returns whether the accessible profile takes a straight way over the floor of a level.
  /// The level is known to be accessible, or the way is short.
  private func isTolerable(_ metres: Double, level: Int) -> Bool {
    isAccessible(metres, level: level) || network.venue.levels[level].wheelchair == .unknown && metres <= WayNetwork.snapDistance
  }

  /// Returns whether a straight way over the floor of a level is known to be accessible.
  func isAccessible(_ metres: Double, level: Int) -> Bool { metres <= 0.01 || network.venue.levels[level].wheelchair == .yes }

  private func cost(_ link: WayNetwork.Link) -> Cost {
    Cost(hazards: profile.isAccessible ? Int32(link.hazards) : 0, seconds: profile.seconds(link))
  }

  private func cost(_ access: WayNetwork.Access, level: Int, _ permission: Permission) -> Cost? {
    guard permission.inaccessible || isTolerable(access.straight, level: level) else { return nil }
    var sum = Cost(hazards: 0, seconds: access.straight / profile.speed)
    if let rest = access.rest {
      guard permission.allows(rest) else { return nil }
      sum = sum + cost(rest)
    }
    return sum
  }

  // MARK: Search

  /// Returns the function for the least seconds from a point of the network to the end.
  ///
  /// The function is consistent: along a way it decreases by no more than the seconds of the way.
  private func leastSeconds() -> (Int) -> Double {
    let speed = max(profile.speed, network.greatestSpeed)
    guard speed < .infinity, !endsAnywhere else { return { _ in 0 } }
    // Less than the true bound, so that no rounding exceeds it.
    let pace = (1 - 1e-9) / speed
    let goal = end.point
    // The nodes that lead to a place may be beside it.
    let shift =
      exits.map { exit in
        let point = network.points[exit.point].position
        return max(0, point.distance(to: goal) - (endIsStated ? 0 : exit.straight + (exit.rest?.length ?? 0)))
      }.max() ?? 0
    let points = network.points
    return { max(0, points[$0].position.distance(to: goal) - shift) * pace }
  }

  mutating func route(_ permission: Permission) -> Route? {
    connect(permission)
    let leastSeconds = leastSeconds()
    let count = network.points.count
    var costs = [Cost](repeating: Cost(hazards: .max, seconds: .infinity), count: count)
    var steps = [Step](repeating: .none, count: count)
    var queue = Heap<Candidate>()
    for (number, entry) in entries.enumerated() {
      guard let cost = cost(entry, level: start.level, permission), cost < costs[entry.point] else { continue }
      costs[entry.point] = cost
      steps[entry.point] = Step(from: -1, number: Int32(number))
      let bound = Cost(hazards: cost.hazards, seconds: cost.seconds + leastSeconds(entry.point))
      queue.insert(Candidate(bound: bound, point: Int32(entry.point), seconds: cost.seconds))
    }
    var best = direct(permission)
    var bestExit: Int?
    let level = end.level
    var isExit = [Bool](repeating: false, count: count)
    for exit in exits { isExit[exit.point] = true }
    let pace = 1 / profile.speed
    while let candidate = queue.popMin() {
      if let best, best.cost <= candidate.bound { break }
      let point = Int(candidate.point)
      let reached = costs[point]
      guard candidate.seconds == reached.seconds, candidate.bound.hazards == reached.hazards else { continue }
      for number in isExit[point] ? exits.indices : 0..<0 where exits[number].point == point {
        guard let last = cost(exits[number], level: level, permission) else { continue }
        let total = reached + last
        if let known = best, known.cost <= total { continue }
        best = (total, [])
        bestExit = number
      }
      let first = Int(network.arcStarts[point])
      for index in first..<Int(network.arcStarts[point + 1]) {
        let arc = network.arcs[index]
        guard permission.forbidden || !arc.isForbidden, permission.closed || !arc.isClosed,
          permission.inaccessible || arc.isAccessible
        else { continue }
        let total = Cost(
          hazards: reached.hazards + (profile.isAccessible ? Int32(arc.hazards) : 0),
          seconds: reached.seconds + arc.metres * pace + arc.seconds)
        let to = Int(arc.to)
        guard total < costs[to] else { continue }
        costs[to] = total
        steps[to] = Step(from: Int32(point), number: Int32(index - first))
        let bound = Cost(hazards: total.hazards, seconds: total.seconds + leastSeconds(to))
        queue.insert(Candidate(bound: bound, point: arc.to, seconds: total.seconds))
      }
    }
    guard let best else { return nil }
    guard let bestExit else { return joined(best.pieces) }
    if endsAnywhere {
      end = place(exits[bestExit].point)
      destination = Route.Destination(end)
    }
    return joined(pieces(to: bestExit, steps))
  }

  /// Returns the way that passes no point of the network: a straight line in sight, or along one link.
  private func direct(_ permission: Permission) -> (cost: Cost, pieces: [RoutePiece])? {
    guard start.level == end.level, !startIsStated, !endsAnywhere else { return nil }
    var best: (cost: Cost, pieces: [RoutePiece])?
    let floor = network.floors[start.level]
    let metres = start.point.distance(to: end.point)
    // An empty level has no known ways: only the straight line can be described.
    let isInSight = floor.isUnknown ? network.pointsOfLevel[start.level].isEmpty : floor.isClear(from: start.point, to: end.point)
    let isBarred = network.isBarred(PlanSegment(from: start.point, to: end.point), level: start.level, permission)
    if isInSight && !isBarred || metres < 0.01 {
      if permission.inaccessible || isTolerable(metres, level: start.level) {
        best = (Cost(hazards: 0, seconds: metres / profile.speed), [straight(to: end, metres)])
      }
    }
    for a in startFeet {
      for b in endFeet where a.link.way == b.link.way {
        let isForward = b.share >= a.share
        guard var link = isForward ? a.link : network.back(of: a.link, from: a.from), permission.allows(link) else { continue }
        link.length *= abs(b.share - a.share)
        link.fixedTime = link.fixedTime.map { $0 * abs(b.share - a.share) }
        let total = cost(link) + Cost(hazards: 0, seconds: (a.distance + b.distance) / profile.speed)
        if let best, best.cost <= total { continue }
        best = (total, pieces(along: link, from: a, to: b))
      }
    }
    return best
  }
}
