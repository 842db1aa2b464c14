import Instants
import RealModule
import Venues

/// Decides whether a visitor walks in directions that the route does not have.
///
/// A visitor who stands may look anywhere, while the errors of their positions drift like steps. So the metres in the direction of the
/// visitor are compared with those that errors explain. Errors of successive positions belong together: with a correlation of ρ, a position
/// with the error of the one before it predicts a share β of its own error, and leaves √(1 − β²) of it.
struct StrayTest: Sendable {
  private struct Start {
    var position: GuidedPosition
    /// The metres from the point of the route in the direction of the visitor, and the variance of that point.
    ///
    /// Nil if only the position counts.
    var aside: (metres: Double, variance: Double)?
    /// The metres in the directions of the visitor since then.
    var metres = 0.0
  }

  /// The positions since the visitor faces away from the route, from each of which the walk may have begun.
  private var starts: [Start] = []
  /// The number of positions since the visitor faces away from the route.
  private var count = 0
  /// The number of positions in a row at which the visitor faced along the route.
  private var fits = 0

  /// The seconds in which the errors of positions indoors lose a relation.
  static let correlationTime = 5.0
  /// The least angle in degrees between the visitor and the route.
  static let leastTurn = 60.0
  /// The sigmas of a walk from the route, and those from the time on at which a later answer comes too late.
  private static let (sigmas, lateSigmas, late) = (4.0, 3.4, Span.milliseconds(7900))
  /// The sigmas of a walk that began somewhere, and the longest time of it.
  private static let (displacementSigmas, longest) = (4.2, Span.seconds(10))
  /// The first positions whose distance from the point of the route counts.
  ///
  /// A position is a second old, so that the first ones still move along the route.
  private static let anchors = 2
  /// The positions in a row along the route that end a walk: a compass errs by 10°.
  private static let leastFits = 2

  /// Takes a position, and returns whether the visitor walks away from the route.
  ///
  /// - Parameters:
  ///   - position: the next position.
  ///   - heading: the direction of the visitor; nil if the route has it here.
  ///   - matched: the point of the route at the visitor.
  ///   - variance: the variance of that point in m² in the direction of the visitor.
  mutating func add(_ position: GuidedPosition, awayFromRoute heading: Double?, matched: PlanPoint, variance: Double) -> Bool {
    guard let heading else {
      fits += 1
      if fits >= Self.leastFits { (starts, count) = ([], 0) }
      return false
    }
    fits = 0
    starts.removeAll {
      $0.position.place.level != position.place.level || $0.aside == nil && position.time - $0.position.time > Self.longest
    }
    if let last = starts.last {
      let step = last.position.place.point.metres(to: position.place.point, along: heading)
      for index in starts.indices { starts[index].metres += step }
    }
    let isAway = starts.contains { Self.isWalk(from: $0, to: position) }
    let aside = matched.metres(to: position.place.point, along: heading)
    starts.append(Start(position: position, aside: count < Self.anchors ? (aside, variance) : nil))
    count += 1
    return isAway
  }

  private static func isWalk(from start: Start, to position: GuidedPosition) -> Bool {
    let span = position.time - start.position.time
    guard span > .zero else { return false }
    guard let aside = start.aside else {
      return start.metres > displacementSigmas * displacementDeviation(from: start.position, to: position)
    }
    let correlation = Double.exp(-span.seconds / correlationTime)
    let variance = max(leastVariance, position.accuracy * position.accuracy)
    let share = (correlation * variance + aside.variance) / (variance + aside.variance)
    let deviation = ((variance + aside.variance) * (1 - share * share)).squareRoot()
    return start.metres + (1 - share) * aside.metres > (span >= late ? lateSigmas : sigmas) * deviation
  }

  /// The least variance of a position in m².
  private static let leastVariance = 0.09

  /// Returns one sigma in metres of the displacement along an axis that is seen of a visitor who stands.
  static func displacementDeviation(from: GuidedPosition, to: GuidedPosition) -> Double {
    let seconds = max(0.2, (to.time - from.time).seconds)
    let accuracy = max(from.accuracy, to.accuracy)
    return (2 * max(leastVariance, accuracy * accuracy) * (1 - Double.exp(-seconds / correlationTime))).squareRoot()
  }
}

extension PlanPoint {
  /// Returns the metres to another point in a direction; negative in the other one.
  ///
  /// - Parameter heading: degrees clockwise from the y axis of the plan.
  func metres(to other: PlanPoint, along heading: Double) -> Double {
    let angle = heading * .pi / 180
    return (other.x - x) * .sin(angle) + (other.y - y) * .cos(angle)
  }
}
