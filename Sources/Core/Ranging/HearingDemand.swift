/// The detail in which beacons must be heard. A lower demand costs the radio less.
public enum HearingDemand: Hashable, Sendable {
  case nothing
  /// Whether beacons are in range.
  case presence
  /// Every report with its RSSI.
  case strength
}
