/// Where events come from: each has journals, and a place in them, of its own. The numbers are those in the outbox.
public enum EventFeed: Int64, CaseIterable, Sendable {
  /// The regions of the config.
  case config = 0
  /// The regions that the user's apps have registered.
  case registered = 1
}
