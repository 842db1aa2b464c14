import Instants
import RealModule
import Venues

/// The direction in which a visitor moves, from positions some metres apart.
struct CourseEstimator: Sendable {
  private var positions: [GuidedPosition] = []
  private(set) var direction: Double?

  /// The time over which a visitor is compared with their own position.
  private static let span = Span.seconds(5)
  /// The time over which a visitor has walked, and the least metres, besides sigmas of the position.
  private static let (stride, leastStride, strideSigmas) = (Span.seconds(3), 2.0, 1.5)

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

  /// Returns whether the last positions show a walk in a direction.
  func isWalking(towards heading: Double) -> Bool {
    guard let last = positions.last, let first = positions.first(where: { last.time - $0.time <= Self.stride }) else { return false }
    let (x, y) = (last.place.point.x - first.place.point.x, last.place.point.y - first.place.point.y)
    let angle = heading * .pi / 180
    return x * .sin(angle) + y * .cos(angle) > max(Self.leastStride, Self.strideSigmas * last.accuracy)
  }
}
