import Geodesy
import Instants

/// A location of the device, as regions judge it.
public struct Fix: Hashable, Sendable {
  public let place: Coordinate
  /// The accuracy in metres, one sigma.
  public let accuracy: Double
  /// The speed in m/s; `nil` if unknown.
  public let speed: Double?
  /// The time at which the device was there, on the engine's clock.
  public let time: Instant
  /// Whether the fix is valid until the next one, however late: the location is configured or set by hand.
  public let isLasting: Bool

  public init(place: Coordinate, accuracy: Double, speed: Double? = nil, time: Instant, isLasting: Bool = false) {
    self.place = place
    self.accuracy = accuracy
    self.speed = speed
    self.time = time
    self.isLasting = isLasting
  }

  /// The time at which the fix expires.
  public var end: Instant { isLasting ? .never : time + CircularRegion.fixLifetime }
}
