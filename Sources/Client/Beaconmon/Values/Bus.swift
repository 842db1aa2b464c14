/// Which D-Bus the service is on.
public enum Bus: Hashable, Sendable {
  /// What the environment's BEACONMON_BUS says: `system`, `session` or an address. Without it, the system's.
  case automatic
  case system
  case session
  /// In the D-Bus specification's syntax: `unix:path=/run/user/1000/bus`.
  case address(String)
}
