import FoundationEssentials

/// A change at a region.
public struct RegionEvent: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case entered
    case exited
    /// Two fixes lie on either side of a circle that is too small, or was passed too fast, to be entered.
    ///
    /// The state is unchanged.
    case crossed
    /// Any other change of state: at the start, to unknown and back, and a crossing that the region mutes.
    case stateChanged
  }

  public let region: any Region
  public let kind: Kind
  /// The state after the event.
  public let state: RegionState
  /// The time of the change: of the deciding sighting, or of the deadline that passed in silence.
  public let date: Date
  /// The beacon that decided, or that satisfied the region last; nil if there is none.
  public let beacon: BeaconIdentityCondition?
  /// The measurements of this beacon; nil if there is none, and for a state that was requested.
  public let measurement: BeaconMeasurement?
  /// The deciding fix of a circle, with a coordinate, an accuracy, a speed and a time; nil for beacons.
  public let location: Location?
  /// The metres from the fix to the edge of the circle, negative inside; nil for other regions.
  public let boundaryDistance: Double?
  /// The evidence; nil for a state that was requested or that follows a gap.
  public let reason: EventReason?
  /// The storey of a `PlaceRegion`: that of its place or level, where 0 is the ground floor; nil for other regions.
  public let floor: Int?
  /// The name of this level, in the language of the service.
  public let levelName: String?

  public static func == (a: RegionEvent, b: RegionEvent) -> Bool {
    AnyHashable(a.region) == AnyHashable(b.region) && a.kind == b.kind && a.state == b.state && a.date == b.date && a.beacon == b.beacon
      && a.measurement == b.measurement && a.location == b.location && a.boundaryDistance == b.boundaryDistance && a.reason == b.reason
      && a.floor == b.floor && a.levelName == b.levelName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(region.identifier)
    hasher.combine(kind)
    hasher.combine(date)
  }
}

/// An element of `LocationManager.regionUpdates`.
public enum RegionUpdate: Sendable {
  case event(RegionEvent)
  /// Monitoring or registering failed. The region is nil if this program has not requested it.
  case failed((any Region)?, LocationError)
  /// The service has registered the region, which it keeps beyond the end of this program.
  case registered(any Region)
  /// A time without updates. Changes during the gap follow as events.
  case gap(ServiceGap)
}
