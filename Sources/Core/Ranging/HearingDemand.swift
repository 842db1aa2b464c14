/// What somebody wants to hear of beacons. Who needs less asks less of the radio.
public enum HearingDemand: Hashable, Sendable {
  case nothing
  /// That they are there.
  case presence
  /// Every report with its RSSI.
  case strength
}
