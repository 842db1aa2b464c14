import Geodesy
import Instants
import Locations
import Motion
import RouteReports
import Venues
import Wayfinding

/// The guide of one client, without clocks and sources: locations and headings in, reports out.
///
/// The guide has its own copy of the venue, so that indices remain valid after a reload.
struct VisitorGuide {
  enum Output: Hashable {
    case update(GuidanceReport)
    case route(RouteReport)
    case instruction(InstructionReport)
    case failed(GuidanceFailure)
    case ended(GuidanceEnd)
    /// The speed of the visitor on foot in m/s.
    case pace(Double)
  }

  /// The destination is in ids, so that a reload finds the same one.
  var request: GuidanceRequest
  var destination: LocatedDestination
  /// The network of the venue; nil outside of the venues.
  var network: WayNetwork?
  let text: GuidanceText
  var route: RouteGuide?
  var direct: DirectionGuide?
  /// The jumps on a straight way and out of the venue, and the last location of a straight way that was not a jump.
  var straightJumps = JumpFilter<Coordinate>()
  var trusted: (location: Location, accuracy: Double)?
  var indicator = TurnIndicator()
  var report = GuidanceReport()
  /// The last location and its time, for a device that turns.
  var last: (location: Location, accuracy: Double)?
  var failure: GuidanceFailure.Reason?
  /// The reason of the next route that is not the guide's own.
  var routeReason = GuidanceRouteReason.start
  var hasHadRoute = false
  var reroutings = 0
  /// The number of locations in a row on the level or at the end of a straight way, and outside of the venue.
  var (arrivals, departures) = (0, 0)
  var nextSearch: Instant?
  /// Whether a location has come too soon after a search that found no route.
  var isSearchDue = false
  /// The distances in metres at which the distance of a straight way is announced, the next one last.
  var milestones: [Double] = []
  var isStraightStarted = false
  /// Whether an instruction of this straight way has said that the level is unknown.
  var isLevelRemarkTold = false
  /// The reason why there is no heading; nil with one, and until the reason is known.
  var headingNote: HeadingNote?
  /// The distance in metres from the destination at which a straight way could lead no further; nil while it leads.
  var stuckDistance: Double?
  /// Whether the visitor walks by the steps of the device, for the present location; nil if it is unknown.
  var isWalking: Bool?
  /// Whether the device has counted steps during this guidance. Only then does their absence show a visitor who stands.
  private var hasCountedSteps = false
  /// The time of the last location, and the time until which it was confirmed.
  private var (lastTime, confirmedTime): (Instant?, Instant?)

  /// The number of locations in a row that show another level, or that the visitor has left the venue.
  static let (arrivalsForLevel, departuresForOutside) = (2, 3)
  static let allMilestones = [10.0, 20, 50, 100, 200, 500, 1000, 2000, 5000]

  init(_ request: GuidanceRequest, to destination: LocatedDestination, in network: WayNetwork?, timestamp: Instant) {
    (self.request, self.destination, self.network) = (request, destination, network)
    text = GuidanceText(languages: request.languages, isMetric: request.isMetric)
    describeDestination()
    (report.state, report.timestamp) = (.searching, timestamp)
  }

  private mutating func describeDestination() {
    (report.venue, report.place, report.level, report.title) = (nil, nil, nil, nil)
    guard let venue = network?.venue else { return }
    report.venue = venue.id
    switch destination.goal {
    case .point(let point):
      report.level = venue.levels[point.place.level].id
      report.place = point.index.map { venue.places[$0].id }
      report.title = point.index.map { venue.places[$0].name(preferring: request.languages) }
    case .level(let level):
      report.level = venue.levels[level].id
      report.title = venue.levels[level].name.text(preferring: request.languages) ?? venue.levels[level].id
    case .outside: break
    }
  }

  /// Continues in a changed catalogue.
  ///
  /// - Parameter network: the network of the changed venue; nil if the venue is as before.
  mutating func move(to destination: LocatedDestination, in network: WayNetwork?) {
    self.destination = destination
    guard let network else { return }
    self.network = network
    (route, direct, nextSearch, last, stuckDistance, isSearchDue) = (nil, nil, nil, nil, nil, false)
    (arrivals, departures) = (0, 0)
    routeReason = .venueChanged
    forgetWay()
    forgetPosition()
    describeDestination()
  }
}

// MARK: Locations

extension VisitorGuide {
  /// Whether further locations decide something, even if they are the same.
  ///
  /// They decide whether the visitor has arrived, left the venue or the route, or is elsewhere, or they start the next search for a route.
  var isInDoubt: Bool {
    arrivals > 0 || route != nil && departures > 0 || (route?.isUndecided ?? straightJumps.isUndecided) || isSearchDue
  }

  /// Takes a location of the device.
  ///
  /// - Parameters:
  ///   - location: the location.
  ///   - heading: the direction of the device; nil if it cannot be trusted.
  ///   - motion: the motion of the device.
  ///   - time: the time of the location, or of its confirmation.
  ///   - timestamp: the same time on the wall clock.
  ///   - isConfirmed: whether this is a known location that is still valid, as while a visitor stands still.
  mutating func take(
    _ location: Location, heading: TrustedHeading?, motion: DeviceMotion, at time: Instant, timestamp: Instant, isConfirmed: Bool = false
  ) -> [Output] {
    // At the start, a source may deliver the location twice.
    guard isConfirmed || lastTime.map({ time >= $0 }) ?? true, isConfirmed || last?.location != location else { return [] }
    if isConfirmed { confirmedTime = time } else { lastTime = time }
    // A location may be older than the confirmation of the one before it.
    let time = max(time, confirmedTime ?? time)
    report.timestamp = timestamp
    // The owner of a device that does not move states its position, so that it is exact without an accuracy.
    guard let accuracy = location.horizontalAccuracy ?? (location.end == .never ? 0 : nil) else {
      forgetPosition()
      return lose(.locationUnknown, text.obstacle(.accuracyUnknown))
    }
    let before = (last, report.accuracy, report.position)
    (last, report.accuracy, report.position) = ((location, accuracy), accuracy, position(of: location))
    isWalking = walks(motion)
    let heading = heading ?? Self.course(of: location)
    guard let network else { return lead(straightFrom: location, accuracy, heading, at: time, isLevelUnknown: false) }
    let place = network.venue.visitorPlace(at: location.coordinate, floor: location.floor, accuracy: accuracy)
    switch place {
    case .inside(let place):
      (departures, stuckDistance) = (0, nil)
      _ = straightJumps.judge(location.coordinate, accuracy: accuracy, at: time, isExpected: true)
      return lead(from: place, accuracy, heading, at: time, in: network)
    case .unknownLevel, .outside:
      departures += 1
      guard route == nil || hasLeft(location, accuracy, at: time) else {
        (last, report.accuracy, report.position) = before
        return []
      }
      route = nil
      return lead(straightFrom: location, accuracy, heading, at: time, isLevelUnknown: place == .unknownLevel)
    }
  }

  /// Returns whether the visitor walks; nil if the motion does not show it.
  ///
  /// A wheelchair moves without steps, and so does a visitor on an escalator before the first step of a walk.
  private mutating func walks(_ motion: DeviceMotion) -> Bool? {
    switch motion.activity {
    case .walking:
      hasCountedSteps = true
      return true
    case .still, .moving: return hasCountedSteps ? false : nil
    case .unknown: return nil
    }
  }

  /// Takes a heading between two locations; returns nothing if nothing changes.
  mutating func turn(to heading: TrustedHeading?, timestamp: Instant) -> [Output] {
    guard report.state == .underWay, let last else { return [] }
    let before = report
    if var guide = direct {
      let output = guide.update(input(last.location, last.accuracy, heading ?? Self.course(of: last.location)))
      direct = guide
      (report.turn, report.side) = (output.turn, output.side)
    } else {
      point(heading)
    }
    show(heading)
    guard report != before else { return [] }
    report.timestamp = timestamp
    return [.update(report)] + (heading.flatMap { face($0) }.map { [$0] } ?? [])
  }

  /// Reports that no position is known.
  ///
  /// - Parameter message: the reason, in English.
  mutating func losePosition(_ message: String, timestamp: Instant) -> [Output] {
    report.timestamp = timestamp
    forgetPosition()
    // The next location may be anywhere.
    (direct, arrivals) = (nil, 0)
    return lose(.locationUnknown, text.positionUnknown(message))
  }

  /// Reports that no way leads on from the last position.
  mutating func lose(_ reason: GuidanceFailure.Reason, _ message: String) -> [Output] {
    forgetWay()
    // Without a route the position is known.
    if report.state != .searching || reason == .noRoute { report.state = .lost }
    guard failure != reason else { return [.update(report)] }
    failure = reason
    return [.update(report), .failed(GuidanceFailure(reason, message))]
  }

  /// Removes the direction from the report.
  mutating func forgetDirection() {
    (report.bearing, report.turn, report.side) = (nil, nil, nil)
    (report.next, report.nextDistance, report.nextText) = (nil, nil, nil)
    (report.heading, report.headingAccuracy, report.headingNote) = (nil, nil, nil)
    indicator.reset()
  }

  /// Removes the direction and the rest of the way from the report.
  mutating func forgetWay() {
    forgetDirection()
    (report.distance, report.distanceText, report.time, report.timeText) = (nil, nil, nil, nil)
    (report.mode, report.length, report.progress) = (nil, nil, nil)
    (report.directReason, report.note) = (nil, nil)
  }

  /// Removes the position from the report.
  mutating func forgetPosition() { (report.position, report.accuracy) = (nil, nil) }

  /// The direction of travel outdoors in place of a compass; a slow receiver's course is arbitrary.
  private static func course(of location: Location) -> TrustedHeading? {
    guard let speed = location.speed, speed >= 1, let course = location.course, let accuracy = location.courseAccuracy else { return nil }
    return TrustedHeading(degrees: course, accuracy: accuracy)
  }

  mutating func show(_ heading: TrustedHeading?) {
    let isTrusted = heading.map { $0.accuracy <= TurnIndicator.mostDeviation } ?? false
    (report.heading, report.headingAccuracy) = isTrusted ? (heading?.degrees, heading?.accuracy) : (nil, nil)
    report.headingNote = isTrusted ? nil : headingNote?.text(text)
  }

  func position(of location: Location) -> RoutePointReport {
    var point = RoutePointReport()
    (point.latitude, point.longitude) = (location.coordinate.latitude, location.coordinate.longitude)
    point.floor = location.floor.map { Int64($0) }
    return point
  }
}
