import Instants
import Venues

/// Compares walks away from a route with the route, by the ratio of their likelihoods.
///
/// At each position a walk in the directions of the visitor begins where the visitor is probably on the route. The alternative is a visitor
/// who follows the route, or stands on it and looks in these directions.
struct DepartureComparison: Sendable {
  private var belief: RouteBelief
  /// The number of level changes behind the visitor, which selects the part of the route that `belief` covers.
  private let changes: Int
  private let speed: Double
  private var last: GuidedPosition?
  private var walks: [DepartureWalk] = []
  private var drifts: [DepartureDrift] = []

  /// The logarithms of the ratio at which the visitor has left the route: at first, and for a late walk.
  private static let (limit, lateLimit) = (10.0, 4.0)
  /// The addition to the limit in front of a lift, where visitors stand for longer than elsewhere.
  private static let liftLimit = 5.0
  /// The metres from the route at which a walk is late, and those at which it is late after this many seconds.
  private static let (lateDistance, agedDistance, lateTime) = (8.0, 5.0, 7.7)
  /// The minimum distance in metres, and the minimum time in seconds, of a walk away from the route.
  private static let (leastDistance, leastTime) = (3.0, 2.0)
  /// The metres of the route before the beginning of a walk that still count as ahead.
  private static let behind = 1.0
  /// The largest change of a ratio's logarithm by one position in a second, so that a jump alone does not decide.
  private static let most = 10.0
  /// The ratio at which a walk is given up, and one at which its place is more probable than the position.
  private static let (leastRatio, placeRatio) = (-6.0, 3.0)
  /// The longest walk in seconds, its longest time with stops, and the maximum number of walks.
  private static let (longestWalk, longest, mostWalks) = (20.0, Span.seconds(60), 24)
  /// The limits for a visitor who may take any direction, at first and from `lateDistance` on, and the rise with a compass.
  private static let (driftLimit, lateDriftLimit, compassLimit) = (10.0, 4.0, 3.0)
  /// The minimum sigmas from the route of a visitor who may take any direction, and the largest change of the ratio.
  private static let (driftSigmas, mostDrift) = (2.2, 5.0)
  /// The longest time between two positions that are compared, and in seconds the longest one in which a direction holds.
  private static let (longestGap, longestDirection) = (Span.seconds(RouteBelief.longestStep), 5.0)

  init(_ track: RouteTrack, speed: Double) {
    belief = RouteBelief(track)
    changes = track.changes
    self.speed = speed
  }

  /// Metres along the route of a visitor who follows it; nil before the first position.
  var offset: Double? { last == nil ? nil : belief.moments.offset }

  /// The place of the visitor by the most probable walk, which errs less than a position; nil without a probable walk.
  var place: PlanPoint? {
    walks.max { $0.ratio < $1.ratio }.flatMap { $0.ratio > Self.placeRatio && $0.turned >= Self.leastTime ? $0.point : nil }
      ?? drifts.max { $0.ratio < $1.ratio }.flatMap { $0.ratio > Self.placeRatio ? $0.point : nil }
  }

  /// Takes a position, and returns whether the visitor has left the route.
  mutating func add(_ position: GuidedPosition, _ track: RouteTrack, in network: WayNetwork) -> Bool {
    guard let before = last, track.changes == changes, position.time - before.time <= Self.longestGap else {
      if last != nil { self = DepartureComparison(track, speed: speed) }
      last = position
      return false
    }
    guard position.time > before.time else { return false }
    last = position
    let error = PositionError(from: before, to: position)
    let route = belief.update(from: before, to: position, speed: speed, error)
    let seconds = (position.time - before.time).seconds
    let most = Self.most * max(0.2, seconds)
    let pieces = track.pieces
    let hasDrifted = drifts(from: before, to: position, error, route, pieces, isAtLift: track.isAtLift)
    guard let heading = before.heading, seconds <= Self.longestDirection else {
      walks = []
      return hasDrifted
    }
    let ways = NearbyWays(network, around: position.place)
    var hasLeft = hasDrifted
    for index in walks.indices {
      let likelihood = walks[index].update(from: before, to: position, heading: heading, error)
      walks[index].ratio += min(most, max(-most, likelihood - route))
      let isAlong = Self.isAlong(pieces, heading, at: walks[index].point, from: walks[index].offset - Self.behind)
      walks[index].turned = max(0, walks[index].turned + (isAlong ? -seconds : seconds))
      if !isAlong { walks[index].add(deviation: ways.deviation(of: heading, at: walks[index].point), seconds) }
      hasLeft = hasLeft || isAway(walks[index], pieces, ways, isAtLift: track.isAtLift)
    }
    walks.removeAll {
      $0.turned <= 0 || $0.ratio < Self.leastRatio || $0.walked > Self.longestWalk || position.time - $0.start > Self.longest
    }
    if walks.count > Self.mostWalks, let worst = walks.indices.min(by: { walks[$0].ratio < walks[$1].ratio }) { walks.remove(at: worst) }
    walks.append(DepartureWalk(belief, at: position.time, speed: speed))
    return hasLeft
  }

  /// Compares visitors who leave the route in unknown directions; returns whether the visitor has left it.
  ///
  /// - Parameter route: the logarithm of the likelihood of the position on the route.
  private mutating func drifts(
    from before: GuidedPosition, to position: GuidedPosition, _ error: PositionError, _ route: Double,
    _ pieces: [RouteTrack.Segment], isAtLift: Bool
  ) -> Bool {
    let most = Self.mostDrift * max(0.2, (position.time - before.time).seconds)
    let addition = (before.heading == nil ? 0 : Self.compassLimit) + (isAtLift ? Self.liftLimit : 0)
    let least = max(Self.leastDistance, Self.driftSigmas * position.accuracy)
    var hasLeft = false
    for index in drifts.indices {
      let likelihood = drifts[index].update(from: before, to: position, error)
      drifts[index].ratio += min(most, max(-most, likelihood - route))
      guard drifts[index].ratio > Self.lateDriftLimit + addition else { continue }
      let distance = Self.distance(of: drifts[index].point, to: pieces, behind: drifts[index].offset - Self.behind)
      let limit = distance >= Self.lateDistance ? Self.lateDriftLimit : Self.driftLimit
      hasLeft = hasLeft || distance > least && drifts[index].ratio > limit + addition
    }
    drifts.removeAll { $0.ratio < Self.leastRatio || position.time - $0.start > Self.longest }
    if drifts.count > Self.mostWalks, let worst = drifts.indices.min(by: { drifts[$0].ratio < drifts[$1].ratio }) {
      drifts.remove(at: worst)
    }
    drifts.append(DepartureDrift(belief, at: position.time))
    return hasLeft
  }

  private func isAway(_ walk: DepartureWalk, _ pieces: [RouteTrack.Segment], _ ways: NearbyWays, isAtLift: Bool) -> Bool {
    guard walk.turned >= Self.leastTime else { return false }
    let distance = Self.distance(of: walk.point, to: pieces, behind: walk.offset - Self.behind)
    guard distance > Self.leastDistance else { return false }
    let isLate = distance >= Self.lateDistance || walk.turned >= Self.lateTime && distance >= Self.agedDistance
    return walk.ratio + ways.evidence(of: walk.deviation) > (isLate ? Self.lateLimit : Self.limit) + (isAtLift ? Self.liftLimit : 0)
  }

  /// The metres beyond the end of a piece of the route from which a point is not next to the piece.
  private static let beyondEnd = 1.0

  /// Returns whether a direction is that of the piece of the route next to a point.
  private static func isAlong(_ pieces: [RouteTrack.Segment], _ heading: Double, at point: PlanPoint, from offset: Double) -> Bool {
    var best: (distance: Double, isAlong: Bool) = (.infinity, false)
    for segment in pieces where segment.length > 0 && segment.offset + segment.length >= offset {
      let share = segment.line.share(nearestTo: point)
      let distance = segment.line.from.towards(segment.line.to, share).distance(to: point)
      let isTurned = segment.direction.map { abs(turn(from: $0, to: heading)) > RouteTrack.turnSigma } ?? false
      let isAlong = !isTurned && !(share >= 1 && distance > beyondEnd)
      // At a corner, either piece may have the direction.
      if distance < best.distance - 0.01 || isAlong && distance < best.distance + 0.01 { best = (distance, isAlong) }
    }
    return best.isAlong
  }

  /// Returns the metres from a point to the route behind an offset.
  private static func distance(of point: PlanPoint, to pieces: [RouteTrack.Segment], behind offset: Double) -> Double {
    var least = Double.infinity
    for segment in pieces where segment.offset + segment.length >= offset {
      var line = segment.line
      if segment.offset < offset, segment.length > 0 { line.from = line.from.towards(line.to, (offset - segment.offset) / segment.length) }
      least = min(least, line.distance(to: point))
    }
    return least
  }
}

extension RouteTrack {
  /// The pieces of the route on which a visitor of this level may be.
  ///
  /// Stairs ahead do not count: until the level changes, a visitor beside them may as well be on the floor below.
  fileprivate var pieces: [Segment] { present.filter { !($0.isChange && $0.changes == changes) } }
}
