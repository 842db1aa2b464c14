import Events

/// Expressions about the column `body` of an event, with the keys of its JSON.
enum EventSQL {
  static let kind = "body -> '\(Event.Keys.kind)'"
  /// The beacon of the event, as `fleet_tag` writes it.
  static let tag = "lower(\(beacon(Event.Keys.uuid))) || '/' || (\(beacon(Event.Keys.major))) || '/' || (\(beacon(Event.Keys.minor)))"

  private static func beacon(_ key: String) -> String { "body -> '\(Event.Keys.beacon)' ->> '\(key)'" }
}
