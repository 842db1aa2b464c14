import Instants
import RealModule
import Venues

// The evidence that a visitor has left the route.

extension RouteTrack {
  /// The metres, in addition to sigmas of the position, that a visitor must have gone back to count as turned.
  private static let (turnedBack, turnedBackSigmas) = (3.0, 2.5)
  /// The metres and sigmas for a visitor who also walks back, and the least time of that walk.
  private static let (walkedBack, walkedBackSigmas, walkedBackTime) = (2.0, 0.5, Span.milliseconds(800))
  /// The weight and the largest deviation of a visitor who walks in another direction than the route.
  private static let (turnWeight, mostTurnDeviation) = (3.0, 12.0)
  /// The metres to a lift within which a visitor waits for it, so that the errors of a single place add up.
  private static let liftReach = 2.0

  /// Returns the square of the distance from the route in sigmas; nil on another level, about which `LevelTest` decides.
  ///
  /// - Parameter walking: the direction in which the visitor walks; nil if it is unknown, or the visitor stands.
  func deviation(of position: GuidedPosition, walking: Double?) -> Double? {
    guard position.place.level == level else { return nil }
    let sigma = max(0.5, position.accuracy)
    let window = 10 + 3 * sigma
    let near = segments.filter {
      abs($0.changes - changes) <= 1 && ($0.level == level || $0.levelAtEnd == level) && $0.offset - window < progress
        && $0.offset + $0.length + window > progress
    }
    guard let least = near.map({ $0.line.distance(to: position.place.point) }).min() else { return nil }
    var deviation = least * least / (sigma * sigma)
    if isAtLift { deviation /= 2 }
    return deviation + turnDeviation(walking, sigma)
  }

  /// Whether the next level change is a lift at the visitor's place.
  var isAtLift: Bool {
    guard let change = segments.first(where: { $0.isChange && $0.changes == changes }) else { return false }
    return change.length == 0 && abs(change.offset - progress) < Self.liftReach
  }

  /// Returns the deviation of a visitor who walks in a direction that the route has nowhere near.
  private func turnDeviation(_ walking: Double?, _ sigma: Double) -> Double {
    guard let walking, let least = leastTurn(from: walking, within: 2 + 2 * sigma), least > Self.turnSigma else { return 0 }
    let sigmas = least / Self.turnSigma
    return min(Self.mostTurnDeviation, Self.turnWeight * sigmas * sigmas)
  }

  private mutating func restart(at offset: Double, _ time: Instant) {
    (progress, speed, speedVariance, covariance) = (offset, 0.8, 0.3, 0)
    variance = max(variance, 4)
    reachFarther(time)
  }

  /// Returns the least degrees between a direction and those of the route within some metres of the progress.
  private func leastTurn(from heading: Double, within window: Double) -> Double? {
    present.lazy.filter { $0.offset - window <= progress && $0.offset + $0.length + window >= progress }.compactMap(\.direction)
      .map { abs(turn(from: $0, to: heading)) }.min()
  }

  /// Returns whether the visitor has gone back farther than an error of the position explains.
  ///
  /// Where a route leads back along itself, such as after stairs, the visitor may be ahead instead. Then the progress moves on.
  ///
  /// - Parameter walking: the direction in which the visitor walks; nil if it is unknown, or the visitor stands.
  mutating func hasTurnedBack(_ position: GuidedPosition, walking: Double?) -> Bool {
    let isFar = farthest - progress > Self.turnedBack + Self.turnedBackSigmas * position.accuracy
    guard walksBack(position, walking) || isFar else { return false }
    let seconds = farthestTime.map { max(0, (position.time - $0).seconds) } ?? 0
    let reach = farthest + Self.mostSpeed * seconds + Self.turnedBack + 3 * position.accuracy
    // The nearest piece ahead: after a turn the visitor may still seem to be a little before it.
    let nearest = farthest - Self.turnedBackSigmas * position.accuracy / 2
    for segment in present where segment.length > 0 {
      let (offset, distance) = segment.foot(of: position.place.point)
      guard offset > nearest, offset <= reach, distance <= 4 * max(1, position.accuracy) else { continue }
      guard isFar else { return false }
      restart(at: offset, position.time)
      return false
    }
    return true
  }

  /// Returns whether the visitor has walked back for some metres and some time.
  private mutating func walksBack(_ position: GuidedPosition, _ walking: Double?) -> Bool {
    guard let walking, let least = leastTurn(from: walking, within: 0), least > 120,
      farthest - progress > Self.walkedBack + Self.walkedBackSigmas * position.accuracy
    else {
      turnedSince = nil
      return false
    }
    let since = turnedSince ?? position.time
    turnedSince = since
    return position.time - since >= Self.walkedBackTime
  }

  /// The speed of a walker in metres a second.
  private static let mostSpeed = 2.0
}

extension RouteTrack.Segment {
  /// Returns the metres along the route of the point that is nearest to a position, and the metres between the two.
  func foot(of point: PlanPoint) -> (offset: Double, distance: Double) {
    let share = line.share(nearestTo: point)
    return (offset + length * share, line.from.towards(line.to, share).distance(to: point))
  }
}
