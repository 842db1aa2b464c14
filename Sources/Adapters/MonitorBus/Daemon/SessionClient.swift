import DBus

/// A connection that has sessions.
final class SessionClient {
  /// In the order in which they were made.
  var sessions: [Session] = []
  var presence: NameWatch?
}
