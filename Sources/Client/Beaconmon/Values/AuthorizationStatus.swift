/// What this program's user allowed. Core Location's CLAuthorizationStatus.
public enum AuthorizationStatus: String, Hashable, Sendable {
  /// Nobody has decided.
  case notDetermined
  /// Never on Linux, where a restriction is a denial whose reason says so; here for switches that come from Core Location.
  case restricted
  case denied
  /// Also by regions that outlive the program.
  case authorizedAlways
  /// For as long as the manager lives.
  case authorizedWhenInUse
}
