/// Whether anything can be heard at all.
public enum Reception: String, Sendable {
  case hearing
  /// On purpose and for a while: exit clocks stop, states stay.
  case paused
  /// No receiver can hear: states are unknown.
  case lost
}
