import Geodesy
import Instants

/// Where the device is, as regions judge it.
public struct Fix: Hashable, Sendable {
  public let place: Coordinate
  /// Metres, one sigma.
  public let accuracy: Double
  /// Metres per second; nil when unknown.
  public let speed: Double?
  /// When it was so, on the engine's clock.
  public let time: Instant
  /// It holds until there is another, however long that takes: somebody has said where the device stands.
  public let isLasting: Bool

  public init(place: Coordinate, accuracy: Double, speed: Double? = nil, time: Instant, isLasting: Bool = false) {
    self.place = place
    self.accuracy = accuracy
    self.speed = speed
    self.time = time
    self.isLasting = isLasting
  }

  /// From then on it tells nothing any more.
  public var end: Instant { isLasting ? .never : time + CircularRegion.fixLifetime }
}
