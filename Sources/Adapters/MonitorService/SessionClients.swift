import DBus
import EventLoop
import Instants

/// The connections that have sessions, whose they are, and whether they still listen.
final class SessionClients {
  private let connection: DBusConnection
  private var clients: [String: SessionClient] = [:]
  /// Few, and kept: what a connection counts must be what the user's others count.
  private var users: [UInt32: SessionUser] = [:]
  /// It has left the bus.
  var onLeave: (SessionClient) -> Void = { _ in }
  /// It reads what it was sent.
  var onAnswer: (SessionClient) -> Void = { _ in }
  /// The bus does not let it be asked.
  var onRefusal: (DBusError) -> Void = { _ in }
  /// It does not, for this reason.
  var onSilence: (SessionClient, String) -> Void = { _, _ in }

  init(_ connection: DBusConnection) {
    self.connection = connection
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
      // Nobody answered but the bus. A policy that is not ours must not cost a client its sessions, but nobody would notice a dead one.
      case .failure(let error) where error.isStandard("AccessDenied"):
        onRefusal(error)
        client.pulse.answered()
        onAnswer(client)
      case .success, .failure:
        client.pulse.answered()
        onAnswer(client)
      }
    }
  }

  /// - Parameter user: whose it is, by number.
  func client(_ name: String, of user: UInt32) -> SessionClient {
    if let client = clients[name] { return client }
    let client = SessionClient(name, self.user(user))
    clients[name] = client
    client.presence = connection.watchName(name) { [weak self] owner in
      if owner == nil { self?.leave(name) }
    }
    return client
  }

  private func leave(_ name: String) {
    guard let client = clients.removeValue(forKey: name) else { return }
    onLeave(client)
    // The watch may be the one that called.
    connection.loop.enqueue { _ = client }
  }

  private func user(_ id: UInt32) -> SessionUser {
    if let user = users[id] { return user }
    let user = SessionUser(id)
    users[id] = user
    return user
  }
}
