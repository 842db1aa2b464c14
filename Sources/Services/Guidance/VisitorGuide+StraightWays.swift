import Geodesy
import Instants
import Locations
import RouteReports
import Venues
import Wayfinding

// Straight ways: outside of the venues, and in front of one.

extension VisitorGuide {
  /// Leads in a straight line.
  mutating func lead(
    straightFrom location: Location, _ accuracy: Double, _ heading: TrustedHeading?, isLevelUnknown: Bool
  ) -> [Output] {
    guard let target else { return lose(.noRoute, text.obstacle(.noFrame)) }
    // In the venue, a line to its middle leads to no level.
    if isLevelUnknown, case .level = destination.goal { return lose(.locationUnknown, text.obstacle(.levelUnknown)) }
    // In front of a venue, the place itself is on a level that the location does not state.
    let most = network == nil ? Double.infinity : GuidanceRequest.radiusOutside
    var guide = direct ?? DirectionGuide(to: target, radius: min(request.radius ?? GuidanceRequest.radiusOutside, most))
    let output = guide.update(input(location, accuracy, heading))
    direct = guide
    (report.mode, report.length, report.progress) = (.direct, nil, nil)
    report.directReason = isLevelUnknown ? .levelUnknown : .outside
    report.note = isLevelUnknown ? remark(floor: location.floor) : nil
    (report.next, report.nextDistance, report.nextText) = (nil, nil, nil)
    if output.hasArrived, network == nil { return arrive(text.arrival(at: report.title), []) }
    if isStuck(output, radius: guide.radius) {
      return lose(.locationUnknown, obstacle(output, accuracy, radius: guide.radius, isLevelUnknown: isLevelUnknown))
    }
    (failure, report.state) = (nil, .underWay)
    setRemaining(output.distance, .seconds(output.distance / request.profile.speed))
    (report.bearing, report.turn, report.side) = (output.bearing, output.turn, output.side)
    show(heading)
    return [.update(report)] + milestone(output)
  }

  /// Returns whether a straight way ends here without an arrival, because its end is reached or within the inaccuracy.
  private mutating func isStuck(_ output: DirectionGuide.Output, radius: Double) -> Bool {
    let isAtEnd = output.hasArrived || !output.isExact && (output.bearing == nil || output.distance <= radius)
    // At the edge, each position would report it again.
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
