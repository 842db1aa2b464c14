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

/// A capability of the device that a program requires, like Core Location's UIRequiredDeviceCapabilities.
public enum RequiredCapability: String, Hashable, Sendable, CaseIterable {
  /// A compass: a magnetometer, or a receiver that reports headings.
  case magnetometer
  /// A satellite receiver.
  case gps
  /// The reception of beacons.
  case beacons
  /// A source of locations of any kind.
  case location
  /// The plan of a building.
  case venue
}
