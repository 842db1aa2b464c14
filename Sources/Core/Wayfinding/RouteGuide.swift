import Instants
import RealModule
import RouteReports
import Venues

/// Leads a visitor along a route. It reads no clock: the positions have their times.
public struct RouteGuide: Sendable {
  /// The distances of announcements. They follow Wayfindr's recommendations and the accuracy of positions indoors.
  public struct Options: Hashable, Sendable {
    /// Metres before a manoeuvre at which it is announced.
    ///
    /// Wayfindr recommends 6 ± 1 m. A position may be a second old, in which a visitor walks 1.2 m.
    public var approach = 8.0
    /// Metres between manoeuvres that are announced together.
    public var joint = RouteText.joint
    /// Metres between reassurances; nil for none.
    public var progress: Double? = 10.0

    public init() {}
  }

  public let network: WayNetwork
  public private(set) var route: Route
  public internal(set) var manoeuvres: [Manoeuvre]
  /// Whether the visitor has reached the destination. A guide that has arrived ignores further positions.
  public private(set) var hasArrived = false
  /// The number of routes after the first one.
  public private(set) var reroutings = 0
  /// The index of the level to which the nearest way leads; nil for the destination of the route.
  private let goal: Int?
  private let profile: RouteProfile
  let options: Options
  var track: RouteTrack
  private var monitor = DepartureTest()
  private var levels = LevelTest()
  /// The index of the first manoeuvre that was not announced.
  var pending = 0
  private var isStarted = false
  /// Whether the start was announced without the direction in which the visitor faces.
  var awaitsHeading = false
  /// The number of manoeuvres that were behind the visitor before they could be announced.
  public internal(set) var missed = 0
  /// Metres along the route at the last announcement.
  var lastSpoken = 0.0
  private var course = CourseEstimator()
  /// Nil until the first position of a route.
  private(set) var comparison: DepartureComparison?
  private var meter = PaceMeter()
  private var lastRerouting: Instant?
  /// Whether the visitor has left the route so soon after the last one that the next one waits.
  private var waitsForRoute = false
  private var jumps = JumpFilter<VenuePoint>()
  private var lastTime: Instant?
  /// Whether the visitor has left the route, and no other was found.
  private var isLost = false
  /// The reason why no other route was found; nil while there is a route.
  public private(set) var obstacle: RouteError?

  /// The largest sigma in metres of a position that is used for guidance.
  public static let mostInaccuracy = 15.0
  /// The shortest time between two routes.
  private static let pause = Span.seconds(5)

  /// Creates a guide along a route.
  ///
  /// - Parameters:
  ///   - route: the first route.
  ///   - network: the network of the route.
  ///   - goal: the index of the level to which the nearest way leads; nil for the destination of the route.
  ///   - profile: the profile of later routes.
  ///   - options: the distances of announcements.
  public init(
    _ route: Route, in network: WayNetwork, toLevel goal: Int? = nil, profile: RouteProfile = .shortest, options: Options = Options()
  ) {
    self.goal = goal
    self.network = network
    self.route = route
    self.profile = profile
    self.options = options
    manoeuvres = route.manoeuvres(in: network)
    track = RouteTrack(route)
  }

  /// Takes a position, and returns the announcements that it causes.
  ///
  /// Positions that are older than the last one, not finite or too inaccurate are ignored: their output is `lost`.
  public mutating func update(_ position: GuidedPosition) -> GuidanceOutput {
    guard !hasArrived else { return output(.arrived, position.place, []) }
    guard position.place.point.isFinite, (0...Self.mostInaccuracy).contains(position.accuracy),
      network.venue.levels.indices.contains(position.place.level), lastTime.map({ position.time >= $0 }) ?? true
    else { return output(.lost, position.place, []) }
    lastTime = position.time
    // A return to the route is accepted at once.
    switch jumps.judge(position.place, accuracy: position.accuracy, at: position.time, isExpected: isLost) {
    case .near: break
    case .jump: return output(.underWay, track.matched, [])
    case .elsewhere: (course, comparison) = (CourseEstimator(), nil)
    }
    var position = position
    position.heading = position.heading.flatMap { $0.isFinite ? $0 : nil }
    course.add(position)
    let heading = position.heading ?? course.direction
    // A visitor who stands may look anywhere, along another piece of the route as well.
    let stride = course.strideSigmas ?? .infinity
    track.advance(position, heading: heading, stride: position.heading == nil ? .infinity : stride)
    if hasReachedEnd(position) { return finish(position) }
    let walking = stride > (position.heading == nil ? RouteTrack.leastStride : RouteTrack.clearStride) ? heading : nil
    let deviation = track.deviation(of: position, walking: walking)
    let isOff = monitor.add(deviation, at: position.time, hasCompass: position.heading != nil)
    if let deviation, deviation <= DepartureTest.drift { (isLost, obstacle) = (false, nil) }
    let hasLeftLevel = levels.add(position, track, in: network.venue)
    if levels.isElsewhere { comparison = nil }
    let hasLeft = hasLeftLevel || isOff || !levels.isElsewhere && hasWalkedAway(position, walking: walking) || isLost
    waitsForRoute = hasLeft && lastRerouting.map { position.time - $0 < Self.pause } ?? false
    if hasLeft, !waitsForRoute {
      lastRerouting = position.time
      if let place = comparison?.place { position.place.point = place }
      comparison = nil
      (monitor, levels) = (DepartureTest(), LevelTest())
      isLost = !reroute(from: position, heading: heading)
      guard !isLost else { return output(.lost, position.place, []) }
      awaitsHeading = heading == nil
      return output(.underWay, position.place, [announceStart(.rerouted)])
    }
    guard !isLost else { return output(.lost, position.place, []) }
    guard isStarted else {
      isStarted = true
      // The direction of the visitor is known from the first position on, not when the route was found.
      manoeuvres = route.manoeuvres(in: network, heading: heading)
      awaitsHeading = heading == nil
      return output(.underWay, track.matched, [announceStart(.start)])
    }
    // The instructions of the route do not apply on another level.
    if levels.isElsewhere { return output(.underWay, position.place, []) }
    if let start = position.heading.flatMap({ face($0) }) { return output(.underWay, track.matched, [start]) }
    let announcements = dueAnnouncements(position.accuracy, heading)
    var output = output(.underWay, monitor.isDoubtful ? position.place : track.matched, announcements)
    output.pace = meter.add(track.progress, at: position.time, isOnFoot: track.isOnFoot && !monitor.isDoubtful)
    return output
  }

  /// The points of the route at the visitor and some metres ahead, by which the route has a direction.
  ///
  /// Nil in a lift, at the end, and while the visitor may be off the route.
  public var directionLine: PlanSegment? { isLost || hasArrived || monitor.isDoubtful || levels.isElsewhere ? nil : track.directionLine }

  /// Whether further positions decide something, even if they are the same.
  ///
  /// They decide about a change of level, a jump, or a departure from the route.
  public var isUndecided: Bool {
    !hasArrived && (track.arrivals > 0 || monitor.isUndecided || levels.isUndecided || jumps.isUndecided || waitsForRoute)
  }

  // MARK: Departure and arrival

  /// Returns whether the visitor has walked away from the route, or back on it.
  private mutating func hasWalkedAway(_ position: GuidedPosition, walking: Double?) -> Bool {
    var comparison = comparison ?? DepartureComparison(track, speed: profile.speed)
    let isAway = comparison.add(position, track, in: network)
    self.comparison = comparison
    let hasCompass = position.heading != nil
    let hasTurnedBack = track.hasTurnedBack(position, walking: hasCompass ? nil : walking)
    // Without a compass, the direction comes from the same positions.
    return isAway || !hasCompass && hasTurnedBack
  }

  private mutating func reroute(from position: GuidedPosition, heading: Double?) -> Bool {
    do throws(RouteError) {
      // Without a floor plan, a position beside a way is more likely to be inaccurate than the visitor to be off the way. Otherwise the
      // first instruction would lead to the way.
      let snapped = network.floors[position.place.level].isUnknown ? network.snapped(position.place, accuracy: position.accuracy) : nil
      let isNear = snapped.map { $0.offset <= 5 * position.accuracy } ?? false
      let start = isNear ? snapped?.place ?? position.place : position.place
      route =
        if let goal {
          try network.route(from: start, accuracy: position.accuracy, toLevel: goal, profile: profile)
        } else {
          try network.route(from: start, accuracy: position.accuracy, to: route.destination, profile: profile)
        }
    } catch {
      obstacle = error
      return false
    }
    obstacle = nil
    reroutings += 1
    manoeuvres = route.manoeuvres(in: network, heading: heading)
    track = RouteTrack(route)
    meter = PaceMeter()
    track.begin(position)
    isStarted = true
    return true
  }

  private func hasReachedEnd(_ position: GuidedPosition) -> Bool {
    guard track.isOnLastRun, position.place.level == route.end.level else { return false }
    let radius = max(route.destination.radius, 2)
    if let index = route.destination.index, network.venue.places[index].area?.contains(position.place.point) == true,
      track.remaining <= radius + position.accuracy
    {
      return true
    }
    return track.remaining <= radius && position.place.point.distance(to: route.end.point) <= radius + 2 * position.accuracy
  }

  private mutating func finish(_ position: GuidedPosition) -> GuidanceOutput {
    hasArrived = true
    let last = manoeuvres.suffix(1)
    return output(.arrived, track.matched, [Announcement(kind: .arrived, manoeuvres: Array(last), distance: 0)])
  }

  private func output(_ state: GuidanceOutput.State, _ matched: VenuePoint, _ announcements: [Announcement]) -> GuidanceOutput {
    // On another level, the instructions ahead apply only in a lift.
    let ahead = levels.isElsewhere && !levels.isPassing ? [] : manoeuvres
    let next = ahead.first {
      // A visitor who is already on a level does not reach it.
      guard !$0.isLevelReached || $0.changes > track.changes && $0.place.level != matched.level else { return false }
      return $0.changes > track.changes || $0.changes == track.changes && $0.offset > track.progress - 0.5 && $0.isAction
    }
    return GuidanceOutput(
      state: state, matched: matched, remainingLength: state == .arrived ? 0 : track.remaining,
      remainingTime: state == .arrived ? .zero : track.remainingTime, next: next,
      distance: next.map { max(0, $0.offset - track.progress) } ?? 0, announcements: announcements)
  }
}

extension Manoeuvre {
  /// Whether the visitor has to do something or has arrived.
  fileprivate var isAction: Bool {
    if case .start = kind { return false }
    return true
  }

  /// Whether the visitor goes straight on after the way to another level.
  fileprivate var isLevelReached: Bool {
    if case .proceed = kind { return isOnNewLevel }
    return false
  }
}
