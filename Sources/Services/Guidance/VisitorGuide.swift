import Geodesy
import Instants
import Locations
import RouteReports
import Venues
import Wayfinding

/// The guide of one client, without clocks and sources: locations and headings in, reports out.
///
/// It has its own copy of the venue, so that a reload leaves no index that means another place.
struct VisitorGuide {
  enum Output: Hashable {
    case update(GuidanceReport)
    case route(RouteReport)
    case instruction(InstructionReport)
    case failed(GuidanceFailure)
    case ended(GuidanceEnd)
  }

  /// The destination is in ids, so that a reload finds the same one.
  var request: GuidanceRequest
  private(set) var destination: LocatedDestination
  /// The network of the venue; nil outside of the venues.
  private(set) var network: WayNetwork?
  let text: GuidanceText
  private var route: RouteGuide?
  var direct: DirectionGuide?
  private var indicator = TurnIndicator()
  var report = GuidanceReport()
  /// The last location and its time, for a device that turns.
  private var last: (location: Location, accuracy: Double)?
  var failure: GuidanceFailure.Reason?
  /// The reason of the next route that is not the guide's own.
  private var routeReason = GuidanceRouteReason.start
  private var hasHadRoute = false
  private var reroutings = 0
  /// The number of locations in a row on the level of the destination, and outside of the venue.
  private var (arrivals, departures) = (0, 0)
  private var nextSearch: Instant?
  /// The distances in metres at which the distance of a straight way is announced, the next one last.
  var milestones: [Double] = []
  var isStraightStarted = false
  /// The distance in metres from the destination at which a straight way could lead no further; nil while it leads.
  var stuckDistance: Double?
  private var lastTime: Instant?

  /// The number of locations in a row that show another level, or that the visitor has left the venue.
  private static let (arrivalsForLevel, departuresForOutside) = (2, 3)
  /// The time between two searches for a route where there is none.
  private static let pause = Span.seconds(5)
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
    (route, direct, nextSearch, last, stuckDistance) = (nil, nil, nil, nil, nil)
    (arrivals, departures) = (0, 0)
    routeReason = .venueChanged
    forgetWay()
    forgetPosition()
    describeDestination()
  }

}

// MARK: Locations

extension VisitorGuide {
  /// Whether further locations decide if the visitor has arrived on a level or left the venue.
  var isInDoubt: Bool { arrivals > 0 || route != nil && departures > 0 }

  /// Takes a location of the device.
  ///
  /// - Parameters:
  ///   - location: the location.
  ///   - heading: the direction of the device; nil if it cannot be trusted.
  ///   - time: the time of the location.
  ///   - timestamp: the same on the wall clock.
  ///   - isConfirmed: whether a known location still holds, as that of a visitor who stands still.
  mutating func take(
    _ location: Location, heading: TrustedHeading?, at time: Instant, timestamp: Instant, isConfirmed: Bool = false
  ) -> [Output] {
    // A start may bring the location twice.
    guard lastTime.map({ time >= $0 }) ?? true, isConfirmed || last?.location != location else { return [] }
    (lastTime, report.timestamp) = (time, timestamp)
    // The owner of a device that does not move states its position, so that it is exact without an accuracy.
    guard let accuracy = location.horizontalAccuracy ?? (location.end == .never ? 0 : nil) else {
      forgetPosition()
      return lose(.locationUnknown, "the accuracy of the position is unknown, so that it cannot be trusted")
    }
    last = (location, accuracy)
    report.accuracy = accuracy
    report.position = position(of: location)
    let heading = heading ?? Self.course(of: location)
    guard let network else { return lead(straightFrom: location, accuracy, heading, isLevelUnknown: false) }
    let place = network.venue.visitorPlace(at: location.coordinate, floor: location.floor, accuracy: accuracy)
    switch place {
    case .inside(let place):
      (departures, stuckDistance) = (0, nil)
      return lead(from: place, accuracy, heading, at: time, in: network)
    case .unknownLevel, .outside:
      departures += 1
      // One fix of another source does not end a route. A location that is configured comes once.
      guard route == nil || departures >= Self.departuresForOutside || location.end == .never else { return [] }
      route = nil
      return lead(straightFrom: location, accuracy, heading, isLevelUnknown: place == .unknownLevel)
    }
  }

  /// Takes a heading between two locations; returns nil if nothing changes.
  mutating func turn(to heading: TrustedHeading?, timestamp: Instant) -> Output? {
    guard report.state == .underWay, let last else { return nil }
    let before = report
    if var guide = direct {
      let output = guide.update(input(last.location, last.accuracy, heading ?? Self.course(of: last.location)))
      direct = guide
      (report.turn, report.side) = (output.turn, output.side)
    } else {
      point(heading)
    }
    show(heading)
    guard report != before else { return nil }
    report.timestamp = timestamp
    return .update(report)
  }

  /// Reports that no position is known.
  mutating func losePosition(_ message: String, timestamp: Instant) -> [Output] {
    report.timestamp = timestamp
    forgetPosition()
    return lose(.locationUnknown, message)
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
  private mutating func forgetDirection() {
    (report.bearing, report.turn, report.side, report.next, report.nextDistance) = (nil, nil, nil, nil, nil)
    (report.heading, report.headingAccuracy) = (nil, nil)
    indicator.reset()
  }

  /// Removes the direction and the rest of the way from the report.
  private mutating func forgetWay() {
    forgetDirection()
    (report.distance, report.distanceText, report.time, report.timeText) = (nil, nil, nil, nil)
    (report.mode, report.length, report.progress) = (nil, nil, nil)
  }

  /// Removes the position from the report.
  private mutating func forgetPosition() { (report.position, report.accuracy) = (nil, nil) }

  /// The direction of travel outdoors in place of a compass; a slow receiver's course is arbitrary.
  private static func course(of location: Location) -> TrustedHeading? {
    guard let speed = location.speed, speed >= 1, let course = location.course, let accuracy = location.courseAccuracy else { return nil }
    return TrustedHeading(degrees: course, accuracy: accuracy)
  }

  mutating func show(_ heading: TrustedHeading?) {
    let isTrusted = heading.map { $0.accuracy <= TurnIndicator.mostDeviation } ?? false
    (report.heading, report.headingAccuracy) = isTrusted ? (heading?.degrees, heading?.accuracy) : (nil, nil)
  }

  private func position(of location: Location) -> RoutePointReport {
    var point = RoutePointReport()
    (point.latitude, point.longitude) = (location.coordinate.latitude, location.coordinate.longitude)
    point.floor = location.floor.map { Int64($0) }
    return point
  }
}

// MARK: Routes

extension VisitorGuide {
  private mutating func lead(
    from place: VenuePoint, _ accuracy: Double, _ heading: TrustedHeading?, at time: Instant, in network: WayNetwork
  ) -> [Output] {
    report.position = point(place)
    if case .level(let level) = destination.goal, place.level == level {
      arrivals += 1
      // A location that is configured comes once.
      if arrivals >= Self.arrivalsForLevel || last?.location.end == .never { return arrive(text.arrival(at: report.title), []) }
      if route == nil { return [.update(report)] }
    } else {
      arrivals = 0
    }
    guard accuracy <= RouteGuide.mostInaccuracy else {
      let metres = Int(min(accuracy, 1e6).rounded())
      return lose(.locationUnknown, "the position is accurate to \(metres) m only, and guidance needs \(Int(RouteGuide.mostInaccuracy)) m")
    }
    let bearing = network.venue.frame?.bearing ?? 0
    let isTrusted = heading.map { $0.accuracy <= TurnIndicator.mostDeviation } ?? false
    let guided = GuidedPosition(
      place, accuracy: accuracy, heading: isTrusted ? heading.map { $0.degrees - bearing } : nil, time: time)
    var outputs: [Output] = []
    if route == nil {
      if let nextSearch, time < nextSearch { return [.update(report)] }
      do throws(RouteError) {
        let found = try find(from: guided, in: network)
        let level: Int? = if case .level(let level) = destination.goal { level } else { nil }
        route = RouteGuide(found, in: network, toLevel: level, profile: request.profile)
        (direct, nextSearch) = (nil, nil)
        if hasHadRoute { reroutings += 1 }
        outputs.append(.route(described(found, routeReason, in: network)))
        (hasHadRoute, routeReason) = (true, .rerouted)
      } catch {
        nextSearch = time + Self.pause
        return lose(.noRoute, "no route from here to \(text.name(report.title)): \(error)")
      }
    }
    guard var guide = route else { return [] }
    let before = guide.reroutings
    let output = guide.update(guided)
    route = guide
    if guide.reroutings > before {
      reroutings += guide.reroutings - before
      outputs.append(.route(described(guide.route, .rerouted, in: network)))
    }
    return outputs + tell(output, guide, heading, in: network)
  }

  private func find(from position: GuidedPosition, in network: WayNetwork) throws(RouteError) -> Route {
    switch destination.goal {
    case .point(var point):
      if let radius = request.radius { point.radius = radius }
      return try network.route(from: position.place, accuracy: position.accuracy, to: point, profile: request.profile)
    case .level(let level):
      return try network.route(from: position.place, accuracy: position.accuracy, toLevel: level, profile: request.profile)
    case .outside: throw .invalidPoint
    }
  }

  private func described(_ route: Route, _ reason: GuidanceRouteReason, in network: WayNetwork) -> RouteReport {
    var report = route.report(in: network, languages: request.languages, isMetric: request.isMetric)
    report.reason = reason
    return report
  }

  private mutating func tell(
    _ output: GuidanceOutput, _ guide: RouteGuide, _ heading: TrustedHeading?, in network: WayNetwork
  ) -> [Output] {
    let writer = RouteText(network, languages: request.languages, isMetric: request.isMetric)
    let index = guide.route.destination.index
    report.mode = .route
    report.reroutings = UInt64(reroutings)
    report.position = point(output.matched)
    switch output.state {
    case .lost:
      let reason = guide.obstacle?.description ?? "no way is near; go back to one"
      return lose(.noRoute, "you have left the route, and no other leads from here: \(reason)")
    case .arrived:
      let sentence = output.announcements.first.map { writer.text($0, to: index) } ?? text.arrival(at: report.title)
      return arrive(sentence, output.announcements.first?.manoeuvres.map { RouteStepReport($0, text: sentence, network.venue) } ?? [])
    case .underWay: break
    }
    (failure, report.state) = (nil, .underWay)
    let length = guide.route.length
    setRemaining(output.remainingLength, output.remainingTime)
    report.length = length
    report.progress = length > 0 ? min(1, max(0, 1 - output.remainingLength / length)) : 1
    report.next = output.next.map { RouteStepReport($0, text: writer.sentences([$0], to: index).first ?? "", network.venue) }
    report.nextDistance = output.next.map { _ in output.distance }
    report.bearing = guide.direction.map { Self.normalised($0 + (network.venue.frame?.bearing ?? 0)) }
    point(heading)
    show(heading)
    return [.update(report)]
      + output.announcements.map { announcement in
        var instruction = instruction(announcement.kind, writer.text(announcement, to: index))
        instruction.distance = announcement.distance
        instruction.steps = announcement.manoeuvres.map {
          RouteStepReport($0, text: writer.sentences([$0], to: index).first ?? "", network.venue)
        }
        return .instruction(instruction)
      }
  }

  private mutating func point(_ heading: TrustedHeading?) {
    guard let bearing = report.bearing else { return indicator.reset() }
    // The route's direction is that of the floor, however inaccurate the position on it is.
    let turn = indicator.update(to: bearing, deviation: 0, heading: heading.map { ($0.degrees, $0.accuracy) })
    (report.turn, report.side) = (turn?.turn, turn?.side)
  }

  private static func normalised(_ degrees: Double) -> Double {
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    return turn < 0 ? turn + 360 : turn
  }

  mutating func setRemaining(_ metres: Double, _ time: Span) {
    (report.distance, report.distanceText) = (metres, text.distance(metres))
    (report.time, report.timeText) = (time.seconds, text.time(time))
  }

  private func point(_ place: VenuePoint) -> RoutePointReport {
    guard let venue = network?.venue, venue.levels.indices.contains(place.level) else { return RoutePointReport() }
    var point = RoutePointReport()
    (point.x, point.y) = (place.point.x, place.point.y)
    (point.level, point.floor) = (venue.levels[place.level].id, Int64(venue.levels[place.level].ordinal))
    if let coordinate = venue.frame?.coordinate(for: place.point) {
      (point.latitude, point.longitude) = (coordinate.latitude, coordinate.longitude)
    }
    return point
  }

  func instruction(_ kind: Announcement.Kind, _ sentence: String) -> InstructionReport {
    var instruction = InstructionReport()
    (instruction.timestamp, instruction.kind, instruction.text, instruction.language) = (report.timestamp, kind, sentence, text.language)
    return instruction
  }

  mutating func arrive(_ sentence: String, _ steps: [RouteStepReport]) -> [Output] {
    forgetDirection()
    report.state = .arrived
    setRemaining(0, .zero)
    if report.length != nil { report.progress = 1 }
    var instruction = instruction(.arrived, sentence)
    (instruction.distance, instruction.steps) = (0, steps)
    return [.update(report), .instruction(instruction), .ended(GuidanceEnd(.arrived, sentence))]
  }
}
