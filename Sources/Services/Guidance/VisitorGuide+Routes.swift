import Geodesy
import Instants
import Locations
import RouteReports
import Venues
import Wayfinding

// Routes through a venue.

extension VisitorGuide {
  /// The time between two searches for a route where there is none.
  private static let pause = Span.seconds(5)

  /// Leads along a route from a place in the venue.
  mutating func lead(
    from place: VenuePoint, _ accuracy: Double, _ heading: TrustedHeading?, at time: Instant, in network: WayNetwork
  ) -> [Output] {
    report.position = point(place)
    if case .level(let level) = destination.goal, place.level == level {
      arrivals += 1
      // A configured location is delivered only once.
      if arrivals >= Self.arrivalsForLevel || last?.location.end == .never { return arrive(text.arrival(at: report.title), []) }
      if route == nil { return [.update(report)] }
    } else {
      arrivals = 0
    }
    guard accuracy <= RouteGuide.mostInaccuracy else {
      return lose(.locationUnknown, text.obstacle(.inaccurate(metres: accuracy, most: RouteGuide.mostInaccuracy)))
    }
    let guided = GuidedPosition(
      place, accuracy: accuracy, heading: heading.flatMap { Self.planHeading($0, at: place, in: network) }, isWalking: isWalking, time: time
    )
    var outputs: [Output] = []
    if route == nil {
      isSearchDue = nextSearch.map { time < $0 } ?? false
      if isSearchDue { return [.update(report)] }
      do throws(RouteError) {
        let found = try find(from: guided, in: network)
        let level: Int? = if case .level(let level) = destination.goal { level } else { nil }
        route = RouteGuide(found, in: network, toLevel: level, profile: request.profile)
        (direct, nextSearch, isLevelRemarkTold) = (nil, nil, false)
        if hasHadRoute { reroutings += 1 }
        outputs.append(.route(described(found, routeReason, in: network)))
        (hasHadRoute, routeReason) = (true, .rerouted)
      } catch {
        nextSearch = time + Self.pause
        return lose(.noRoute, text.noRoute(to: report.title, error))
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
    if let pace = output.pace { outputs.append(.pace(pace)) }
    return outputs + report(output, guide, heading, in: network)
  }

  /// Returns the direction of the device on the plan; nil if it cannot be trusted.
  private static func planHeading(_ heading: TrustedHeading, at place: VenuePoint, in network: WayNetwork) -> Double? {
    guard heading.accuracy <= TurnIndicator.mostDeviation else { return nil }
    return heading.degrees - (network.venue.frame?.bearing(at: place.point) ?? network.venue.frame?.bearing ?? 0)
  }

  /// Takes the direction of the device between two locations; returns the start again if the visitor has to turn.
  mutating func face(_ heading: TrustedHeading) -> Output? {
    guard var guide = route, let network, let degrees = Self.planHeading(heading, at: guide.route.vertices[0].place, in: network)
    else { return nil }
    let start = guide.face(degrees)
    route = guide
    return start.map { instruction(of: $0, guide, in: network) }
  }

  private func instruction(of announcement: Announcement, _ guide: RouteGuide, in network: WayNetwork) -> Output {
    let writer = RouteText(network, languages: request.languages, isMetric: request.isMetric)
    let index = guide.route.destination.index
    var instruction = instruction(announcement.kind, writer.text(announcement, to: index))
    instruction.distance = announcement.distance
    instruction.steps = announcement.manoeuvres.map {
      RouteStepReport($0, text: writer.sentence($0, to: index), network.venue)
    }
    return .instruction(instruction)
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

  private mutating func report(
    _ output: GuidanceOutput, _ guide: RouteGuide, _ heading: TrustedHeading?, in network: WayNetwork
  ) -> [Output] {
    let writer = RouteText(network, languages: request.languages, isMetric: request.isMetric)
    let index = guide.route.destination.index
    (report.mode, report.directReason, report.note) = (.route, nil, nil)
    report.reroutings = UInt64(reroutings)
    report.position = point(output.matched)
    switch output.state {
    case .lost:
      return lose(.noRoute, text.leftRoute(guide.obstacle))
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
    report.next = output.next.map { RouteStepReport($0, text: writer.sentence($0, to: index), network.venue) }
    report.nextDistance = output.next.map { _ in output.distance }
    report.nextText = output.next.map { writer.next($0, in: output.distance, to: index) }
    report.bearing = guide.directionLine.flatMap { network.venue.frame?.bearing(from: $0.from, to: $0.to) }.map(Self.normalised)
    point(heading)
    show(heading)
    return [.update(report)] + output.announcements.map { instruction(of: $0, guide, in: network) }
  }

  mutating func point(_ heading: TrustedHeading?) {
    guard let bearing = report.bearing else { return indicator.reset() }
    // The direction of the route does not depend on the accuracy of the position.
    let turn = indicator.update(to: bearing, deviation: 0, heading: heading.map { ($0.degrees, $0.accuracy) })
    (report.turn, report.side) = (turn?.turn, turn?.side)
  }

  private static func normalised(_ degrees: Double) -> Double {
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    let positive = turn < 0 ? turn + 360 : turn
    // The sum with a tiny negative angle is rounded to a whole turn.
    return positive < 360 ? positive : 0
  }

  mutating func setRemaining(_ metres: Double, _ time: Span) {
    (report.distance, report.distanceText) = (metres, text.distance(metres))
    (report.time, report.timeText) = (time.seconds, text.time(time))
  }

  func point(_ place: VenuePoint) -> RoutePointReport {
    guard let venue = network?.venue, venue.levels.indices.contains(place.level) else { return RoutePointReport() }
    var point = RoutePointReport()
    (point.x, point.y) = (place.point.x, place.point.y)
    (point.level, point.floor) = (venue.levels[place.level].id, Int64(venue.levels[place.level].ordinal))
    point.levelName = venue.levels[place.level].name.text(preferring: request.languages)
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
