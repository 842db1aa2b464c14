/// What `LocationManager.locationUpdates` tells. Core Location's CLLocationUpdate.
public enum LocationUpdate: Hashable, Sendable {
  case location(Location)
  /// True: the device stays where it is, for two minutes or more as far as its fixes can tell. False: it moves again, or nobody can tell any more.
  case stationary(Bool)
  /// No source knows where the device is, and why. They go on trying.
  case unknown(LocationError)
  /// Nothing was told in this time.
  case gap(ServiceGap)

  /// Nil for what is no location.
  public var location: Location? {
    if case .location(let location) = self { location } else { nil }
  }
}
