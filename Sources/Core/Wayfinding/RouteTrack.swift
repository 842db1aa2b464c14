import Instants
import RealModule
import Venues

/// The progress of a visitor along a route: metres and speed with their covariance.
struct RouteTrack: Sendable {
  struct Segment: Sendable {
    var line: PlanSegment
    var level: Int
    var levelAtEnd: Int
    /// Metres along the route to its beginning.
    var offset: Double
    var length: Double
    /// The number of level changes before it.
    var changes: Int
    var isChange: Bool
    /// Whether the segment is a plain way, not stairs, an escalator or a lift.
    var isPlain: Bool
    var isLift = false
    var seconds: Double
    /// Degrees clockwise from the y axis of the plan; nil in a lift, and for a piece that is too short to have one.
    var direction: Double?
  }

  let segments: [Segment]
  let length: Double
  let changeCount: Int
  /// Metres along the route.
  var progress = 0.0
  /// The number of level changes behind the visitor.
  private(set) var changes = 0
  var speed = 0.8
  var variance = 9.0
  var covariance = 0.0
  var speedVariance = 0.3
  var farthest = 0.0
  var farthestTime: Instant?
  private var last: Instant?
  /// The number of positions in a row on the level after the next change.
  private(set) var arrivals = 0
  private var rejections = 0
  /// The time since which the visitor walks against the route; nil while they do not.
  var turnedSince: Instant?
  /// The direction of the piece on which the visitor last walked; nil before a walk.
  private var walkedDirection: Double?

  /// The acceleration of a walker as noise: the variance of the speed in (m/s)² for each second.
  private static let acceleration = 0.08
  /// The factor by which successive errors that belong together count less than independent ones.
  private static let correlation = 2.5
  /// The sigmas of an innovation that counts as a jump, and the number of consecutive jumps that are ignored.
  private static let (gate, mostRejections) = (4.5, 3)
  /// The number of positions on the next level that make a change.
  private static let arrivalsForChange = 2
  /// The largest distance in metres between two changes of level of which the first may be missed.
  private static let mostBetween = 10.0
  /// The largest cost of a piece of the route that leads in another direction than the visitor walks, in squares of sigmas.
  private static let mostTurnCost = 8.0
  /// The turn in degrees that is as improbable as a position one sigma aside.
  ///
  /// A visitor who turns by more does not follow the route.
  static let turnSigma = 45.0
  /// The minimum length in metres of a piece of the route that has a direction.
  private static let leastLength = 0.5
  /// The sigmas of a stride whose direction distinguishes pieces of the route, and those of a clear stride.
  static let (leastStride, clearStride) = (1.0, 2.0)
  /// The minimum angle in degrees between a piece of the route and the direction of a visitor who still has to turn into it.
  static let leastTurn = 60.0

  init(_ route: Route) {
    var segments: [Segment] = []
    var (offset, changes) = (0.0, 0)
    for (number, leg) in route.legs.enumerated() {
      let (a, b) = (route.vertices[number].place, route.vertices[number + 1].place)
      let isChange = a.level != b.level
      segments.append(
        Segment(
          line: PlanSegment(from: a.point, to: b.point), level: a.level, levelAtEnd: b.level, offset: offset, length: leg.length,
          changes: changes, isChange: isChange, isPlain: leg.mode == .walk, isLift: leg.lift != nil, seconds: leg.time.seconds,
          direction: a.point.distance(to: b.point) > Self.leastLength ? a.point.direction(to: b.point) : nil))
      offset += leg.length
      if isChange { changes += 1 }
    }
    if segments.isEmpty {
      let end = route.end
      segments = [
        Segment(
          line: PlanSegment(from: end.point, to: end.point), level: end.level, levelAtEnd: end.level, offset: 0, length: 0, changes: 0,
          isChange: false, isPlain: true, seconds: 0)
      ]
    }
    self.segments = segments
    length = offset
    changeCount = changes
  }

  /// Starts at a position that the route begins at.
  mutating func begin(_ position: GuidedPosition) {
    last = position.time
    variance = max(1, position.accuracy * position.accuracy)
  }

  // MARK: Progress

  /// - Parameters:
  ///   - heading: the direction of the visitor on the plan, which tells the pieces of a route apart that meet at a corner.
  ///   - stride: the sigmas of the visitor's walk in that direction. Without any, the visitor looks anywhere, and is still on the piece on
  ///     which they last walked.
  mutating func advance(_ position: GuidedPosition, heading: Double?, stride: Double = .infinity) {
    let seconds = last.map { min(max(0, (position.time - $0).seconds), 30) } ?? 0
    last = position.time
    progress += speed * seconds
    variance += 2 * covariance * seconds + speedVariance * seconds * seconds + Self.acceleration * seconds * seconds * seconds / 3
    covariance += speedVariance * seconds + Self.acceleration * seconds * seconds / 2
    speedVariance = min(1, speedVariance + Self.acceleration * seconds)
    followLevels(position)
    limit()
    let isWalking = stride > Self.leastStride
    guard let (measured, direction) = measure(position, isWalking ? heading : walkedDirection) else { return }
    if isWalking { walkedDirection = direction }
    let noise = Self.correlation * max(0.09, position.accuracy * position.accuracy)
    let innovation = measured - progress
    let total = variance + noise
    if innovation * innovation > Self.gate * Self.gate * total, rejections < Self.mostRejections {
      rejections += 1
      return
    }
    rejections = 0
    let (gain, speedGain) = (variance / total, covariance / total)
    progress += gain * innovation
    speed = min(2, max(-1, speed + speedGain * innovation))
    speedVariance = max(0.01, speedVariance - speedGain * covariance)
    variance = max(0.05, variance * (1 - gain))
    covariance *= 1 - gain
    limit()
    reachFarther(position.time)
  }

  mutating func reachFarther(_ time: Instant) {
    guard progress > farthest else { return }
    (farthest, farthestTime) = (progress, time)
  }

  /// Counts a level change when the visitor is on the next level.
  private mutating func followLevels(_ position: GuidedPosition) {
    guard let change = nextChange(to: position.place.level) else { return }
    arrivals = position.place.level == change.levelAtEnd && position.place.level != change.level ? arrivals + 1 : 0
    // On another level than expected, far before the stairs, the floor is more probably wrong than the progress.
    guard arrivals >= Self.arrivalsForChange, change.offset - progress < 10 + 3 * position.accuracy else { return }
    changes = change.changes + 1
    arrivals = 0
    // A visitor leaves a lift in another direction than that of the piece before it.
    if change.direction == nil { walkedDirection = nil }
    // The level may change at the foot of the stairs or at their top.
    progress = max(progress, change.offset)
    reachFarther(position.time)
    (speed, speedVariance, covariance) = (0.8, 0.3, 0)
    variance = max(variance, 4)
  }

  /// Returns the change that leads to a level: the next one, or one that follows it closely.
  ///
  /// Positions may miss the level between the two.
  private func nextChange(to level: Int) -> Segment? {
    guard let first = segments.firstIndex(where: { $0.isChange && $0.changes == changes }) else { return nil }
    // A later change may lead back to the level of the visitor.
    guard level != segments[first].level else { return segments[first] }
    var between = 0.0
    for segment in segments[first...] {
      if segment.isChange {
        if segment.levelAtEnd == level { return segment }
      } else {
        between += segment.length
        if between > Self.mostBetween { break }
      }
    }
    return segments[first]
  }

  /// Keeps the progress between the last level change and the next one.
  private mutating func limit() {
    let low = segments.last { $0.isChange && $0.changes < changes }?.offset ?? 0
    let high = segments.first { $0.isChange && $0.changes == changes }.map { $0.offset + $0.length } ?? length
    if progress < low || progress > high {
      progress = min(max(progress, low), high)
      speed = min(max(speed, 0), 1)
    }
  }

  /// The segments on which the visitor may be: those of the level, and the stairs that lead to it and from it.
  var present: [Segment] { segments.filter { $0.changes == changes || $0.isChange && $0.changes == changes - 1 } }

  /// Returns the metres along the route, and the direction, of the point that fits a position and the progress best.
  private func measure(_ position: GuidedPosition, _ heading: Double?) -> (offset: Double, direction: Double?)? {
    let (noise, spread) = (max(0.25, position.accuracy * position.accuracy), variance + position.accuracy * position.accuracy + 1)
    var best: (cost: Double, offset: Double, direction: Double?)?
    for segment in present where !segment.isChange || segment.line.length > 0 {
      let (offset, distance) = segment.foot(of: position.place.point)
      let apart = offset - progress
      var cost = distance * distance / noise + apart * apart / spread
      // After a corner, lasting errors would hold the visitor on the piece before it.
      if let heading, let direction = segment.direction {
        let sigmas = turn(from: direction, to: heading) / Self.turnSigma
        cost += min(Self.mostTurnCost, sigmas * sigmas)
      }
      if cost < best?.cost ?? .infinity { best = (cost, offset, segment.direction) }
    }
    return best.map { ($0.offset, $0.direction) }
  }
}
