import Instants

extension Location {
  /// The time after which the fix no longer describes the location, even without a newer one.
  /// It is on the clock of `received`, and `.never` for a device that does not move.
  public var end: Instant { source.lifetime.map { measured + $0 } ?? .never }

  /// Whether the source reports the location periodically, not only when it changes.
  public var isSteady: Bool { source.isSteady }

  /// Returns the accuracy plus the distance that a brisk walk may have covered since the measurement, in metres.
  /// It is infinite if the accuracy is unknown.
  public func uncertainty(at now: Instant) -> Double {
    guard let horizontalAccuracy else { return .infinity }
    return end == .never ? horizontalAccuracy : horizontalAccuracy + Self.drift * age(at: now).seconds
  }

  /// Brisk walking speed in m/s.
  private static let drift = 2.0

  public func isCurrent(at now: Instant) -> Bool { now < end }
}
