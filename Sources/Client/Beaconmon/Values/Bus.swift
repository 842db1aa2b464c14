/// The D-Bus that the service is on.
public enum Bus: Hashable, Sendable {
  /// The bus in the environment variable BEACONMON_BUS: `system`, `session` or an address. Defaults to the system bus.
  case automatic
  case system
  case session
  /// An address in the syntax of the D-Bus specification: `unix:path=/run/user/1000/bus`.
  case address(String)
}
