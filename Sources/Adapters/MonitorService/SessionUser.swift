/// The quota of one user over all connections, in which each session counts its requests.
final class SessionUser {
  let id: UInt32
  var sessions = 0
  var constraints = 0
  var regions = 0
  /// The calls that wait for a decision, including those of sessions that have ended.
  var waitingCalls = 0

  init(_ id: UInt32) {
    self.id = id
  }

  var name: String { "user \(id)" }
}
