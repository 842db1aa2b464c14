/// A source of events with its own journals and places. The raw values are stored in the outbox.
public enum EventFeed: Int64, CaseIterable, Sendable {
  /// The regions of the config.
  case config = 0
  /// The registered regions of the apps of the user.
  case registered = 1
}
