import Venues
import RealModule

/// A position on the nearest way of a network.
public struct SnappedPosition: Hashable, Sendable {
  public var place: VenuePoint
  /// The distance in metres from the position to the way.
  public var offset: Double
  /// One sigma in metres of the place on the way.
  ///
  /// Includes the chance that the visitor is on another way nearby, and a position that is farther from all ways than its accuracy
  /// explains.
  public var accuracy: Double
}

extension WayNetwork {
  /// The number of sigmas within which the visitor may be on another way.
  private static let reach = 3.0

  /// Returns the position on the nearest way of its level; nil without ways.
  ///
  /// - Parameter accuracy: one sigma in metres, along each axis.
  public func snapped(_ position: VenuePoint, accuracy: Double) -> SnappedPosition? {
    guard venue.levels.indices.contains(position.level), position.point.isFinite, accuracy >= 0 else { return nil }
    var feet: [(point: PlanPoint, distance: Double)] = []
    for from in pointsOfLevel[position.level] {
      for link in links[from] where link.lift == nil && points[link.to].level == position.level && !(from > link.to && link.isForbidden) {
        let foot = PlanSegment(from: points[from].position, to: points[link.to].position).nearest(to: position.point)
        feet.append((foot, foot.distance(to: position.point)))
      }
    }
    guard let best = feet.min(by: { $0.distance < $1.distance }) else { return nil }
    let variance = max(accuracy * accuracy, 1e-6)
    // The square of the displacement that noise does not explain.
    let unexplained = max(0, best.distance * best.distance - 2 * variance)
    var (sum, weights) = (0.0, 0.0)
    for foot in feet where foot.distance <= best.distance + Self.reach * accuracy {
      let weight = Double.exp(-(foot.distance * foot.distance - best.distance * best.distance) / (2 * variance))
      let apart = foot.point.distance(to: best.point)
      (sum, weights) = (sum + weight * apart * apart, weights + weight)
    }
    return SnappedPosition(
      place: VenuePoint(best.point, level: position.level), offset: best.distance,
      accuracy: (accuracy * accuracy + sum / weights + unexplained).squareRoot())
  }
}
