/// What one user has, over all connections. Each session counts what it has here.
final class SessionUser {
  let id: UInt32
  var sessions = 0
  var constraints = 0
  var regions = 0
  /// Calls that wait until people have decided, also of sessions that have ended.
  var waitingCalls = 0

  init(_ id: UInt32) {
    self.id = id
  }

  var name: String { "user \(id)" }
}
