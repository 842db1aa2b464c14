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

  public func isCurrent(at now: Instant) -> Bool { now < end }
}
