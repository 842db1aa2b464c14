import Instants
import RealModule
import Venues

/// A walk away from the route in the directions of the visitor, who may also stand on it.
///
/// The mixture of the two follows Blom and Bar-Shalom, "The interacting multiple model algorithm" (1988), with one state for both.
struct DepartureWalk: Sendable {
  /// Metres along the route of the place where the visitor left it.
  let offset: Double
  let start: Instant
  /// The logarithm of the likelihood ratio of this walk and of the route.
  var ratio = 0.0
  private var filter: PlaceFilter
  /// The probability that the visitor stands.
  private var standing = 0.0
  /// The seconds for which the visitor did not walk along the route.
  var turned = 0.0
  /// The seconds for which the visitor has walked.
  private(set) var walked = 0.0
  /// The sum of the deviations in degrees from ways, weighted with their seconds, and these seconds.
  private var (deviations, seconds) = (0.0, 0.0)

  init(_ belief: RouteBelief, at time: Instant, speed: Double) {
    (offset, start) = (belief.moments.offset, time)
    filter = PlaceFilter(belief, speed: speed)
  }

  /// Takes a position, and returns the logarithm of its likelihood.
  ///
  /// - Parameters:
  ///   - last: the position before it.
  ///   - heading: the direction of the way between the two.
  mutating func update(from last: GuidedPosition, to position: GuidedPosition, heading: Double, _ error: PositionError) -> Double {
    let seconds = min(5, max(0.05, (position.time - last.time).seconds))
    let (stop, start) = (1 - Double.exp(-seconds * RouteBelief.stopRate), 1 - Double.exp(-seconds * RouteBelief.startRate))
    let miss = Double.exp(-RouteBelief.missedSteps * seconds)
    let stays = (standing * (1 - start) + (1 - standing) * stop) * (position.isWalking == true ? miss : 1)
    let walks = (standing * start + (1 - standing) * (1 - stop)) * (position.isWalking == false ? miss : 1)
    var (still, moved) = (filter, filter)
    let stand = stays * still.update(from: last, to: position, seconds, heading: nil, error)
    let walk = walks * moved.update(from: last, to: position, seconds, heading: heading, error)
    let total = stand + walk
    if total > 0 {
      standing = stand / total
      filter = moved.mixed(with: still, share: standing)
    }
    walked += seconds * (1 - standing)
    return Double.log(total + RouteBelief.outlier / error.variance)
  }

  /// Takes the degrees by which the direction of the walk differs from that of a way; nil where no way is near.
  mutating func add(deviation: Double?, _ seconds: Double) {
    let seconds = seconds * (1 - standing)
    // Where no way is, the walk is across one.
    deviations += (deviation ?? 90) * seconds
    self.seconds += seconds
  }

  /// The mean deviation in degrees from ways.
  var deviation: Double { seconds > 0 ? deviations / seconds : 0 }

  /// The present place.
  var point: PlanPoint { PlanPoint(x: filter.x, y: filter.y) }
}
