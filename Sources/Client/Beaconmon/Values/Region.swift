/// What a `LocationManager` monitors: a `BeaconRegion` or a `CircularRegion`. Core Location's CLRegion, as a value.
public protocol Region: Hashable, Sendable {
  /// 1 to 64 characters; another region of the same identifier replaces this one.
  var identifier: String { get }
  /// False: entering changes the state and is not told as an entry.
  var notifyOnEntry: Bool { get set }
  /// False: leaving changes the state and is not told as an exit.
  var notifyOnExit: Bool { get set }
}

/// Core Location's CLRegionState.
public enum RegionState: String, Hashable, Sendable {
  /// Nothing was heard yet, or nothing can hear.
  case unknown
  case inside
  case outside
}
