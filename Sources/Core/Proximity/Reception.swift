/// The state of an adapter's reception.
public enum Reception: String, Sendable {
  case hearing
  /// Paused on purpose for a while: exit clocks of the regions that it heard stand, and states stay.
  case paused
  /// Unable to hear: regions that only this adapter heard are unknown.
  case lost
}
