/// A region that a `LocationManager` monitors. Core Location's CLRegion, as a value.
///
/// It is a `BeaconRegion`, a `CircularRegion` or a `ConfiguredRegion`.
public protocol Region: Hashable, Sendable {
  /// The identifier, 1 to 64 characters. Another region of the same identifier replaces this one.
  var identifier: String { get }
  /// If false, entering changes the state without an enter event.
  var notifyOnEntry: Bool { get set }
  /// If false, leaving changes the state without an exit event.
  var notifyOnExit: Bool { get set }
}

/// The state of a region. Core Location's CLRegionState.
public enum RegionState: String, Hashable, Sendable {
  /// The region has no sighting or fix yet, or no source can supply one.
  case unknown
  case inside
  case outside
}
