import DBus
import EventLoop
import Instants

/// The connections that have sessions, whose they are, and whether they still listen.
final class SessionClients {
  private let connection: DBusConnection
  private var clients: [String: SessionClient] = [:]
  private var users: [UInt32?: SessionUser] = [:]
  /// It has left the bus.
  var onLeave: (SessionClient) -> Void = { _ in }
  /// It reads what it was sent.
  var onAnswer: (SessionClient) -> Void = { _ in }
  /// It does not, for this reason.
  var onSilence: (SessionClient, String) -> Void = { _, _ in }

  init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// Calls back at once when the client's user is known, otherwise when the bus has told. A call that waits in vain fails by itself.
  func identify(_ name: String, for call: MethodCall, then body: @escaping (SessionClient, SessionUser) -> Void) {
    let client = client(name)
    if let user = client.user { return body(client, user) }
    guard client.calls.count < SessionLimits.sessionsPerClient else {
      return call.fail(SessionLimits.tooManySessions)
    }
    client.calls.append { body(client, $0) }
  }

  /// Asks whether it takes what it is sent: every binding answers by itself while its loop runs.
  func ask(_ client: SessionClient) {
    connection.call(
      destination: client.name, path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping",
      timeout: ClientPulse.lostAfter + .milliseconds(100)
    ) { [weak self, weak client] reply in
      guard let self, let client, clients[client.name] === client else { return }
      switch reply {
      // The bus says the same of a client that leaves.
      case .failure(let error) where error.isStandard("NoReply"):
        if client.pulse.isLost(at: connection.loop.now) { onSilence(client, ClientPulse.silence) }
      // The bus holds so much for it that it does not take the question: only time will tell.
      case .failure(let error) where error.isStandard("LimitsExceeded"): break
      case .success, .failure:
        client.pulse.answered()
        onAnswer(client)
      }
    }
  }

  /// The user without sessions is forgotten.
  func release(_ user: SessionUser) {
    if user.sessions == 0 { users[user.id] = nil }
  }

  private func client(_ name: String) -> SessionClient {
    if let client = clients[name] { return client }
    let client = SessionClient(name)
    clients[name] = client
    client.presence = connection.watchName(name) { [weak self] owner in
      if owner == nil { self?.leave(name) }
    }
    connection.credentials(of: name) { [weak self, weak client] reply in
      guard let self, let client, clients[name] === client else { return }
      var userID: UInt32?
      if case .success(let credentials) = reply { userID = credentials.userID }
      let user = user(userID)
      client.user = user
      let calls = client.calls
      client.calls = []
      for call in calls { call(user) }
    }
    return client
  }

  private func leave(_ name: String) {
    guard let client = clients.removeValue(forKey: name) else { return }
    onLeave(client)
    // The watch may be the one that called.
    connection.loop.enqueue { _ = client }
  }

  private func user(_ id: UInt32?) -> SessionUser {
    if let user = users[id] { return user }
    let user = SessionUser(id)
    users[id] = user
    return user
  }
}
