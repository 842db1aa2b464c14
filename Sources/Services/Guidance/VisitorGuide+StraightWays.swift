import Geodesy
import Instants
import Locations
import RouteReports
import Venues
import Wayfinding

// Straight ways: outside of the venues, and in front of one.

extension VisitorGuide {
  /// The number of locations in a row that show an arrival.
  private static let arrivalsAtEnd = 2
  /// The factor of a measured speed that a visitor, perhaps in a vehicle, does not exceed until the next location.
  private static let speedMargin = 2.0

  /// Leads in a straight line.
  mutating func lead(
    straightFrom location: Location, _ accuracy: Double, _ heading: TrustedHeading?, at time: Instant, isLevelUnknown: Bool
  ) -> [Output] {
    guard let target else { return lose(.noRoute, text.obstacle(.noFrame)) }
    // Inside the venue, a line to its middle does not lead to a level.
    if isLevelUnknown, case .level = destination.goal { return lose(.locationUnknown, text.obstacle(.levelUnknown)) }
    guard trusts(location, accuracy, at: time) else { return [.update(report)] }
    // In front of a venue, the place itself is on a level that the location does not state.
    let most = network == nil ? Double.infinity : GuidanceRequest.radiusOutside
    var guide = direct ?? DirectionGuide(to: target, radius: min(request.radius ?? GuidanceRequest.radiusOutside, most))
    let output = guide.update(input(location, accuracy, heading))
    direct = guide
    (report.mode, report.length, report.progress) = (.direct, nil, nil)
    report.directReason = isLevelUnknown ? .levelUnknown : .outside
    report.note = isLevelUnknown ? remark(floor: location.floor) : nil
    (report.next, report.nextDistance, report.nextText) = (nil, nil, nil)
    let isAtEnd = output.hasArrived && network == nil
    arrivals = isAtEnd ? arrivals + 1 : 0
    // A configured location is delivered only once.
    if isAtEnd, arrivals >= Self.arrivalsAtEnd || location.end == .never { return arrive(text.arrival(at: report.title), []) }
    if isAtEnd { return approach(output) }
    if isStuck(output, radius: guide.radius) {
      return lose(.locationUnknown, obstacle(output, accuracy, radius: guide.radius, isLevelUnknown: isLevelUnknown))
    }
    (failure, report.state) = (nil, .underWay)
    setRemaining(output.distance, .seconds(output.distance / request.profile.speed))
    (report.bearing, report.turn, report.side) = (output.bearing, output.turn, output.side)
    show(heading)
    return [.update(report)] + milestone(output)
  }

  /// Returns whether a visitor on a route has left the venue.
  ///
  /// A single location of another source is not enough, and jumps do not count.
  mutating func hasLeft(_ location: Location, _ accuracy: Double, at time: Instant) -> Bool {
    // A configured location is delivered only once.
    if location.end == .never { return true }
    return switch straightJumps.judge(location.coordinate, accuracy: accuracy, at: time, isExpected: false) {
    case .near: departures >= Self.departuresForOutside
    case .jump: false
    case .elsewhere: true
    }
  }

  /// Returns whether a location is that of the visitor. A jump is ignored, as on a route, until it lasts.
  private mutating func trusts(_ location: Location, _ accuracy: Double, at time: Instant) -> Bool {
    if direct == nil { straightJumps = JumpFilter() }
    let speed = location.speed.map { $0 * Self.speedMargin }
    switch straightJumps.judge(location.coordinate, accuracy: accuracy, at: time, speed: speed, isExpected: location.end == .never) {
    case .near: break
    case .jump:
      guard let trusted else { break }
      (last, report.accuracy, report.position) = (trusted, trusted.accuracy, position(of: trusted.location))
      return false
    // The straight way starts again from the new place.
    case .elsewhere: isStraightStarted = false
    }
    trusted = (location, accuracy)
    return true
  }

  /// Reports a visitor who is at the end of a straight way according to one location. The next location decides.
  private mutating func approach(_ output: DirectionGuide.Output) -> [Output] {
    (failure, report.state, stuckDistance) = (nil, .underWay, nil)
    setRemaining(output.distance, .seconds(output.distance / request.profile.speed))
    forgetDirection()
    return [.update(report)]
  }

  /// Returns whether a straight way ends here without an arrival, because its end is reached or within the inaccuracy.
  private mutating func isStuck(_ output: DirectionGuide.Output, radius: Double) -> Bool {
    let isAtEnd = output.hasArrived || !output.isExact && (output.bearing == nil || output.distance <= radius)
    // Without the margin, positions at the edge would report this again and again.
    let isStill = stuckDistance.map { output.distance <= $0 * 1.5 && (network != nil || !output.isExact) } ?? false
    stuckDistance = isAtEnd ? max(output.distance, radius) : isStill ? stuckDistance : nil
    return stuckDistance != nil
  }

  private func obstacle(_ output: DirectionGuide.Output, _ accuracy: Double, radius: Double, isLevelUnknown: Bool) -> String {
    if !output.isExact { return text.obstacle(.nearInaccurate(metres: accuracy, isOutside: network == nil)) }
    return text.obstacle(isLevelUnknown ? .nearLevelUnknown : .nearOutside)
  }

  /// Returns the remark that the level of the visitor is unknown, with the level of the destination.
  private func remark(floor: Int?) -> String? {
    guard case .point(let point) = destination.goal, let level = network?.venue.levels[point.place.level] else { return nil }
    return text.straightLine(to: report.title, on: level.name.text(preferring: request.languages) ?? level.id, floor: floor)
  }

  func input(_ location: Location, _ accuracy: Double, _ heading: TrustedHeading?) -> DirectionGuide.Input {
    DirectionGuide.Input(location.coordinate, accuracy: accuracy, heading: heading?.degrees, headingAccuracy: heading?.accuracy)
  }

  private var target: Coordinate? {
    switch destination.goal {
    case .outside(let coordinate): coordinate
    case .point(let point): network?.venue.frame?.coordinate(for: point.place.point)
    case .level: network?.venue.circle?.center
    }
  }

  /// Returns the instruction at the beginning of a straight way, at each milestone, and once where the level becomes unknown.
  private mutating func milestone(_ output: DirectionGuide.Output) -> [Output] {
    let remark = isLevelRemarkTold ? nil : report.note
    isLevelRemarkTold = isLevelRemarkTold || remark != nil
    if !isStraightStarted {
      isStraightStarted = true
      milestones = Self.allMilestones.filter { $0 < output.distance * 0.9 }
      return [.instruction(straight(.start, output, remark))]
    }
    let isReached = milestones.last.map { output.distance <= $0 } ?? false
    guard isReached || remark != nil else { return [] }
    milestones.removeAll { $0 >= output.distance }
    return [.instruction(straight(.progress, output, remark))]
  }

  private func straight(_ kind: Announcement.Kind, _ output: DirectionGuide.Output, _ remark: String?) -> InstructionReport {
    let way = text.straight(output.distance, side: output.side, to: report.title)
    var instruction = instruction(kind, [remark, way].compactMap(\.self).joined(separator: " "))
    instruction.distance = output.distance
    return instruction
  }
}
