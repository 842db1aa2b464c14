/// A capability of the device.
///
/// Core Location's isRangingAvailable, isMonitoringAvailable and significantLocationChangeMonitoringAvailable.
public enum Capability: String, Hashable, Sendable, CaseIterable {
  case beaconRanging, beaconRegions
  /// Requires a source of locations in the service's config.
  case circularRegions, location, significantLocationChanges
  /// Requires a magnetometer or a compass.
  case heading
}
