/// Whether a receiver can hear.
public enum Reception: String, Sendable {
  case hearing
  /// On purpose and for a while: the exit clocks of what it heard stand, states stay.
  case paused
  /// It cannot: what only it heard is unknown.
  case lost
}
