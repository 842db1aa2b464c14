import FoundationEssentials

/// Something happened at a region.
public struct RegionEvent: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case entered
    case exited
    /// Two fixes lie on either side of a circle that is too small, or was passed too fast, to be entered. It changes no state.
    case crossed
    /// Any other change of state: at the start, to unknown and back, and a crossing that the region mutes.
    case stateChanged
  }

  public let region: any Region
  public let kind: Kind
  /// From now on.
  public let state: RegionState
  /// When it became true: of the sighting that decided, or of the deadline that passed in silence.
  public let date: Date
  /// The beacon that decided, or that satisfied the region last.
  public let beacon: BeaconIdentityCondition?
  /// The fix that decided, of a circle. It has a coordinate, an accuracy, a speed and a time.
  public let location: Location?

  public static func == (a: RegionEvent, b: RegionEvent) -> Bool {
    AnyHashable(a.region) == AnyHashable(b.region) && a.kind == b.kind && a.state == b.state && a.date == b.date && a.beacon == b.beacon
      && a.location == b.location
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(region.identifier)
    hasher.combine(kind)
    hasher.combine(date)
  }
}

/// What `LocationManager.regionUpdates` tells.
public enum RegionUpdate: Sendable {
  case event(RegionEvent)
  /// Nil: a region that this program has not asked for.
  case failed((any Region)?, LocationError)
  /// The service keeps it from now on, beyond this program's end.
  case registered(any Region)
  /// Nothing was told in this time. What changed in it comes as events after it.
  case gap(ServiceGap)
}
