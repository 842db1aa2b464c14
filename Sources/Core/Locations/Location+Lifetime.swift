import Instants

extension Location {
  /// The time after which the fix no longer describes the location, even without a newer one.
  /// It is on the clock of `received`, and `.never` for a device that does not move.
  public var end: Instant {
    switch source {
    case .fixed: .never
    case .geoClue: measured + Self.lifetimeOfNews
    default: measured + Self.lifetime
    }
  }

  /// The lifetime of a receiver's fix; receivers report every second or every few seconds.
  private static let lifetime = Span.seconds(30)
  /// The lifetime of a GeoClue fix.
  /// GeoClue reports when the surrounding Wi-Fi changes; until then the device most likely stays in place.
  private static let lifetimeOfNews = Span.seconds(300)

  /// Whether the source reports the location periodically, not only when it changes.
  public var isSteady: Bool {
    switch source {
    case .fixed, .geoClue, .manual: false
    default: true
    }
  }

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
