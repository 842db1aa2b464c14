/// The methods that turn the filtered RSSI of a beacon into a distance.
public enum DistanceMethod: String, Sendable, CaseIterable {
  /// Path loss alone: the distance at which the beacon is received with this RSSI.
  case plain
  /// The median of the posterior that path loss and a log-normal prior give.
  case bayesian
  /// The median of the posterior of the room filter, which knows where the beacons of the venue hang.
  case indoor
}
