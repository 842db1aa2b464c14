import Instants
import RealModule
import Venues

/// The direction in which a visitor moves, from positions some metres apart.
struct CourseEstimator: Sendable {
  /// The last positions, each with the direction in which the visitor faced or moved.
  private var steps: [(position: GuidedPosition, heading: Double?)] = []
  private(set) var direction: Double?

  /// The age from which a position is dropped.
  private static let span = Span.seconds(5)
  /// The age up to which positions belong to a stride.
  private static let stride = Span.seconds(4)

  mutating func add(_ position: GuidedPosition) {
    steps.removeAll { position.time - $0.position.time > Self.span || $0.position.place.level != position.place.level }
    direction = nil
    if let first = steps.first?.position {
      let distance = first.place.point.distance(to: position.place.point)
      // Shorter displacements may be noise.
      if distance > max(3, 1.5 * position.accuracy) { direction = first.place.point.direction(to: position.place.point) }
    }
    steps.append((position, position.heading ?? direction))
    if steps.count > 64 { steps.removeFirst() }
  }

  /// The distance walked in the directions that the visitor faced, in sigmas of the errors of a visitor who stands.
  ///
  /// Nil until there are two positions.
  var strideSigmas: Double? {
    guard let last = steps.last, let first = steps.firstIndex(where: { last.position.time - $0.position.time <= Self.stride }),
      first < steps.count - 1
    else { return nil }
    let metres = zip(steps[first...], steps[(first + 1)...]).reduce(0) { sum, pair in
      guard let heading = pair.0.heading else { return sum }
      return sum + pair.0.position.place.point.metres(to: pair.1.position.place.point, along: heading)
    }
    return metres / Self.displacementDeviation(from: steps[first].position, to: last.position)
  }

  /// Returns one sigma in metres, along an axis, of the displacement that errors simulate while a visitor stands.
  private static func displacementDeviation(from: GuidedPosition, to: GuidedPosition) -> Double {
    let seconds = max(0.2, (to.time - from.time).seconds)
    let accuracy = max(from.accuracy, to.accuracy)
    return (2 * max(leastVariance, accuracy * accuracy) * (1 - Double.exp(-seconds / PositionError.correlationTime))).squareRoot()
  }

  /// The minimum variance of a position in m².
  private static let leastVariance = 0.09
}

extension PlanPoint {
  /// Returns the part in metres of the way to another point that leads in a direction; negative for the opposite direction.
  ///
  /// - Parameter heading: degrees clockwise from the y axis of the plan.
  fileprivate func metres(to other: PlanPoint, along heading: Double) -> Double {
    let angle = heading * .pi / 180
    return (other.x - x) * .sin(angle) + (other.y - y) * .cos(angle)
  }
}
