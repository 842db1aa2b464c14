import Instants

extension Location {
  /// When it no longer tells where the device is, though no other has come: on the clock of `received`, `.never` for a device that does not move.
  public var end: Instant {
    switch source {
    case .fixed: .never
    case .geoClue: measured + Self.lifetimeOfNews
    default: measured + Self.lifetime
    }
  }

  /// A receiver tells every second, or every few.
  private static let lifetime = Span.seconds(30)
  /// GeoClue tells when the Wi-Fi around it is another: while that stays the device most likely does too.
  private static let lifetimeOfNews = Span.seconds(300)

  /// Its source tells again and again where the device is, not only when that is news.
  public var isSteady: Bool {
    switch source {
    case .fixed, .geoClue, .manual: false
    default: true
    }
  }

  /// Metres: its accuracy and how far the device may have gone since, at a brisk walk; infinite where its accuracy is unknown.
  public func uncertainty(at now: Instant) -> Double {
    guard let horizontalAccuracy else { return .infinity }
    return end == .never ? horizontalAccuracy : horizontalAccuracy + Self.drift * age(at: now).seconds
  }

  /// m/s.
  private static let drift = 2.0

  public func isCurrent(at now: Instant) -> Bool { now < end }
}
