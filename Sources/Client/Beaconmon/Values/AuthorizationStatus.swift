/// The permission that the user gave this program. Core Location's CLAuthorizationStatus.
public enum AuthorizationStatus: String, Hashable, Sendable {
  /// No decision.
  case notDetermined
  /// Never occurs on Linux, where a restriction is a denial with a reason. Kept for switches ported from Core Location.
  case restricted
  case denied
  /// Allowed, including for regions that outlive the program.
  case authorizedAlways
  /// Allowed for as long as the manager lives.
  case authorizedWhenInUse
}
