/// A capability of a device that a config or a client can require.
public enum RequiredCapability: String, CaseIterable, Hashable, Sendable {
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
