import Instants
import Venues

/// The direction in which a visitor moves, from positions some metres apart.
struct CourseEstimator: Sendable {
  private var positions: [GuidedPosition] = []
  private(set) var direction: Double?

  /// The time over which a visitor is compared with their own position.
  private static let span = Span.seconds(5)

  mutating func add(_ position: GuidedPosition) {
    positions.removeAll { position.time - $0.time > Self.span || $0.place.level != position.place.level }
    direction = nil
    if let first = positions.first {
      let distance = first.place.point.distance(to: position.place.point)
      // Shorter displacements may be noise.
      if distance > max(3, 1.5 * position.accuracy) { direction = first.place.point.direction(to: position.place.point) }
    }
    positions.append(position)
    if positions.count > 64 { positions.removeFirst() }
  }
}
