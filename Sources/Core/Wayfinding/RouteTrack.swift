import Instants
import RealModule
import Venues

/// The progress of a visitor along a route: metres and speed with their covariance.
struct RouteTrack: Sendable {
  private struct Segment: Sendable {
    var line: PlanSegment
    var level: Int
    var levelAtEnd: Int
    /// Metres along the route to its beginning.
    var offset: Double
    var length: Double
    /// The number of level changes before it.
    var changes: Int
    var isChange: Bool
    var seconds: Double
  }

  private let segments: [Segment]
  private let length: Double
  private let changeCount: Int
  /// Metres along the route.
  private(set) var progress = 0.0
  /// The number of level changes behind the visitor.
  private(set) var changes = 0
  private var speed = 0.8
  private var variance = 9.0
  private var covariance = 0.0
  private var speedVariance = 0.3
  private var farthest = 0.0
  private var farthestTime: Instant?
  private var last: Instant?
  /// The number of positions in a row on the level after the next change.
  private var arrivals = 0
  private var rejections = 0

  /// The acceleration of a walker as noise: the variance of the speed in (m/s)² for each second.
  private static let acceleration = 0.08
  /// The factor by which successive errors that belong together count less than independent ones.
  private static let correlation = 2.5
  /// The sigmas of an innovation that is a jump, and the number of jumps in a row that are believed.
  private static let (gate, mostRejections) = (4.5, 3)
  /// The number of positions on the next level that make a change.
  private static let arrivalsForChange = 2
  /// The most metres between two changes of which the first may be missed.
  private static let mostBetween = 10.0
  /// The metres that a visitor must have gone back before they have turned, besides sigmas of the position.
  private static let turnedBack = 3.0

  init(_ route: Route) {
    var segments: [Segment] = []
    var (offset, changes) = (0.0, 0)
    for (number, leg) in route.legs.enumerated() {
      let (a, b) = (route.vertices[number].place, route.vertices[number + 1].place)
      let isChange = a.level != b.level
      segments.append(
        Segment(
          line: PlanSegment(from: a.point, to: b.point), level: a.level, levelAtEnd: b.level, offset: offset, length: leg.length,
          changes: changes, isChange: isChange, seconds: leg.time.seconds))
      offset += leg.length
      if isChange { changes += 1 }
    }
    if segments.isEmpty {
      let end = route.end
      segments = [
        Segment(
          line: PlanSegment(from: end.point, to: end.point), level: end.level, levelAtEnd: end.level, offset: 0, length: 0, changes: 0,
          isChange: false, seconds: 0)
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

  mutating func advance(_ position: GuidedPosition) {
    let seconds = last.map { min(max(0, (position.time - $0).seconds), 30) } ?? 0
    last = position.time
    progress += speed * seconds
    variance += 2 * covariance * seconds + speedVariance * seconds * seconds + Self.acceleration * seconds * seconds * seconds / 3
    covariance += speedVariance * seconds + Self.acceleration * seconds * seconds / 2
    speedVariance = min(1, speedVariance + Self.acceleration * seconds)
    followLevels(position)
    limit()
    guard let measured = measure(position) else { return }
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

  private mutating func reachFarther(_ time: Instant) {
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
    // The level may change at the foot of the stairs or at their top.
    progress = max(progress, change.offset)
    reachFarther(position.time)
    (speed, speedVariance, covariance) = (0.8, 0.3, 0)
    variance = max(variance, 4)
  }

  /// Returns the change that leads to a level: the next one, or one that follows it closely.
  /// The level between is then not seen.
  private func nextChange(to level: Int) -> Segment? {
    guard let first = segments.firstIndex(where: { $0.isChange && $0.changes == changes }) else { return nil }
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
  private var present: [Segment] { segments.filter { $0.changes == changes || $0.isChange && $0.changes == changes - 1 } }

  /// Returns the metres along the route of the point that fits a position and the progress best.
  private func measure(_ position: GuidedPosition) -> Double? {
    let (noise, spread) = (max(0.25, position.accuracy * position.accuracy), variance + position.accuracy * position.accuracy + 1)
    var best: (cost: Double, offset: Double)?
    for segment in present where !segment.isChange || segment.line.length > 0 {
      let share = segment.line.share(nearestTo: position.place.point)
      let distance = segment.line.from.towards(segment.line.to, share).distance(to: position.place.point)
      let offset = segment.offset + segment.length * share
      let apart = offset - progress
      let cost = distance * distance / noise + apart * apart / spread
      if cost < best?.cost ?? .infinity { best = (cost, offset) }
    }
    return best?.offset
  }

  // MARK: Reading

  /// Returns the square of the distance from the route in sigmas; nil while the level says nothing, as on stairs.
  func deviation(of position: GuidedPosition) -> Double? {
    let sigma = max(0.5, position.accuracy)
    let window = 10 + 3 * sigma
    var least = Double.infinity
    var (isNearChange, isOnLevel) = (false, false)
    for segment in segments where abs(segment.changes - changes) <= 1 {
      if segment.isChange, segment.offset - window < progress, segment.offset + segment.length + window > progress { isNearChange = true }
      guard segment.level == position.place.level || segment.levelAtEnd == position.place.level else { continue }
      guard segment.offset - window < progress, segment.offset + segment.length + window > progress else { continue }
      isOnLevel = true
      least = min(least, segment.line.distance(to: position.place.point))
    }
    if !isOnLevel { return isNearChange ? nil : DepartureTest.otherLevel }
    return least * least / (sigma * sigma)
  }

  /// Returns whether the visitor has gone back farther than an error of the position explains.
  ///
  /// Where a route leads back along itself, such as behind stairs, the visitor may be ahead instead. Then the progress moves on.
  mutating func hasTurnedBack(_ position: GuidedPosition) -> Bool {
    guard farthest - progress > Self.turnedBack + 2.5 * position.accuracy else { return false }
    let seconds = farthestTime.map { max(0, (position.time - $0).seconds) } ?? 0
    let reach = farthest + Self.mostSpeed * seconds + Self.turnedBack + 3 * position.accuracy
    for segment in present where segment.length > 0 {
      let share = segment.line.share(nearestTo: position.place.point)
      let offset = segment.offset + segment.length * share
      let distance = segment.line.from.towards(segment.line.to, share).distance(to: position.place.point)
      guard offset > farthest, offset <= reach, distance <= 4 * max(1, position.accuracy) else { continue }
      (progress, speed, speedVariance, covariance) = (offset, 0.8, 0.3, 0)
      variance = max(variance, 4)
      reachFarther(position.time)
      return false
    }
    return true
  }

  /// The speed of a walker in metres a second.
  private static let mostSpeed = 2.0

  var remaining: Double { max(0, length - progress) }

  /// Whether no level change is ahead.
  var isOnLastRun: Bool { changes == changeCount }

  var remainingTime: Span {
    var seconds = 0.0
    for segment in segments where segment.changes >= changes {
      guard segment.length > 0 else {
        seconds += segment.changes >= changes && segment.isChange ? segment.seconds : 0
        continue
      }
      let ahead = segment.offset + segment.length - max(segment.offset, progress)
      if ahead > 0 { seconds += segment.seconds * min(1, ahead / segment.length) }
    }
    return .seconds(seconds)
  }

  /// The point of the route at the progress.
  var matched: VenuePoint { point(at: progress) }

  /// The direction of the route some metres ahead, in degrees clockwise from the y axis of the plan.
  ///
  /// Nil in a lift and at the end.
  var direction: Double? {
    let (here, ahead) = (matched, point(at: progress + Self.lookAhead))
    guard here.point.distance(to: ahead.point) > Self.leastDirection else { return nil }
    return here.point.direction(to: ahead.point)
  }

  /// The metres to the point that a direction leads to: a visitor begins to turn before the corner.
  private static let lookAhead = 3.0
  private static let leastDirection = 0.3

  private func point(at progress: Double) -> VenuePoint {
    for segment in present {
      guard progress <= segment.offset + segment.length else { continue }
      let share = segment.length > 0 ? min(1, max(0, (progress - segment.offset) / segment.length)) : 0
      return VenuePoint(
        segment.line.from.towards(segment.line.to, share), level: segment.isChange && share > 0.5 ? segment.levelAtEnd : segment.level)
    }
    // Beyond the stairs or the lift ahead, the way is on another level.
    let end = present.last ?? segments[segments.count - 1]
    return VenuePoint(end.line.to, level: end.levelAtEnd)
  }
}

/// Decides whether a visitor has left a route.
///
/// A sequential test adds up the deviations beyond those of noise (Page, Biometrika 41 (1954)).
struct DepartureTest: Sendable {
  /// The deviation of a position on a level of which the route has no part.
  static let otherLevel = 25.0
  /// The square of the sigmas that noise explains, and the sum for each second at which the visitor has left.
  static let (drift, threshold) = (7.0, 52.0)
  /// The largest contribution of one second: a jump alone does not decide.
  private static let most = 22.0

  private var sum = 0.0
  private var last: Instant?

  /// Whether the visitor may have left the route.
  var isDoubtful: Bool { sum > Self.threshold / 2 }

  /// Adds a deviation, and returns whether the visitor has left the route.
  ///
  /// - Parameter deviation: the square of the distance in sigmas; nil if it is unknown.
  mutating func add(_ deviation: Double?, at time: Instant) -> Bool {
    let seconds = last.map { min(max(0, (time - $0).seconds), 2) } ?? 0
    last = time
    guard let deviation else { return false }
    sum = max(0, sum + seconds * min(deviation - Self.drift, Self.most))
    return sum > Self.threshold
  }
}
