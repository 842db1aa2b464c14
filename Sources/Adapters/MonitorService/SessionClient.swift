import DBus

/// A connection that has, or had, sessions. It is known until it leaves the bus.
final class SessionClient {
  /// Its unique name.
  let name: String
  let user: SessionUser
  /// In the order in which they were made.
  var sessions: [Session] = []
  var presence: NameWatch?
  var pulse = ClientPulse()
  /// Snapshots that are not sent yet, oldest first.
  var waiting: [WaitingSnapshot] = []

  init(_ name: String, _ user: SessionUser) {
    self.name = name
    self.user = user
  }
}
