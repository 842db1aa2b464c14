import RealModule
import Venues

/// Detects that the receiver walks, from its estimated positions.
///
/// A receiver that stands still would teach the offsets of one place's fading: 8 dB within a day in a simulation.
struct WalkingGate: Hashable, Sendable {
  /// The displacement in metres within the last positions that counts as walking.
  private static let displacement = 2.5
  private static let (positions, leastPositions) = (12, 8)
  /// The largest standard deviation in metres of a position to learn from.
  static let mostSpread = 4.0

  private var track: [PlanPoint] = []

  /// Adds the position of another second and returns whether the receiver walks.
  mutating func add(_ point: PlanPoint) -> Bool {
    track.append(point)
    if track.count > Self.positions { track.removeFirst() }
    return track.count >= Self.leastPositions && track.contains { $0.distance(to: point) >= Self.displacement }
  }
}

extension PlanPoint {
  func distance(to other: PlanPoint) -> Double { ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot() }
}
