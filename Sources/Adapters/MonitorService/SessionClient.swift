import DBus

/// A bus connection that has, or had, sessions. It is known until it leaves the bus.
final class SessionClient {
  /// The connection's unique name.
  let name: String
  let user: SessionUser
  /// The sessions, in order of creation.
  var sessions: [Session] = []
  var presence: NameWatch?
  var pulse = ClientLiveness()
  /// The snapshots that are not sent yet, oldest first.
  var waiting: [WaitingSnapshot] = []

  init(_ name: String, _ user: SessionUser) {
    self.name = name
    self.user = user
  }
}
