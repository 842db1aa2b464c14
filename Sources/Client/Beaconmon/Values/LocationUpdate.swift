/// An element of `LocationManager.locationUpdates`. Core Location's CLLocationUpdate.
public enum LocationUpdate: Hashable, Sendable {
  case location(Location)
  /// A change between rest and motion.
  ///
  /// True if, as far as its fixes can show, the device has not moved for two minutes or more. False if it moves again or there
  /// are no fixes to decide by.
  case stationary(Bool)
  /// No source knows the location, for this reason; the sources keep trying.
  case unknown(LocationError)
  /// A time without updates.
  case gap(ServiceGap)

  /// The location of a location update; nil for any other update.
  public var location: Location? {
    if case .location(let location) = self { location } else { nil }
  }
}
