import DBus
import EventLoop
import Instants

/// The connections that have sessions, with their users and their liveness.
final class SessionClients {
  private let connection: DBusConnection
  private var clients: [String: SessionClient] = [:]
  /// Receives a client that has left the bus.
  var onLeave: (SessionClient) -> Void = { _ in }
  /// Receives a client that has answered a ping, and so reads its signals.
  var onAnswer: (SessionClient) -> Void = { _ in }
  /// Receives the error when the bus policy forbids a ping.
  var onRefusal: (DBusError) -> Void = { _ in }
  /// Receives a client that does not read its signals, and the reason.
  var onSilence: (SessionClient, String) -> Void = { _, _ in }

  /// The number of connections that have sessions.
  var count: Int { clients.values.count { !$0.sessions.isEmpty } }

  init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// Pings the client to learn whether it reads its signals: every D-Bus binding answers by itself while its loop runs.
  func ask(_ client: SessionClient) {
    connection.call(
      destination: client.name, path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping",
      timeout: ClientLiveness.lostAfter + .milliseconds(100)
    ) { [weak self, weak client] reply in
      guard let self, let client, clients[client.name] === client else { return }
      switch reply {
      // The bus sends the same error for a client that leaves.
      case .failure(let error) where error.isStandard("NoReply"):
        if client.liveness.isLost(at: connection.loop.now) { onSilence(client, ClientLiveness.silence) }
      // The bus queues so much for the client that it refuses the ping. The client's silence shows only with time.
      case .failure(let error) where error.isStandard("LimitsExceeded"): break
      // Only the bus answered. A foreign policy must not cost a client its sessions, but a dead client would go unnoticed.
      case .failure(let error) where error.isStandard("AccessDenied"):
        onRefusal(error)
        client.liveness.answered()
        onAnswer(client)
      case .success, .failure:
        client.liveness.answered()
        onAnswer(client)
      }
    }
  }

  /// Returns the client of a connection, new or known.
  func client(_ name: String) -> SessionClient {
    if let client = clients[name] { return client }
    let client = SessionClient(name)
    clients[name] = client
    client.presence = connection.watchName(name) { [weak self] owner in
      if owner == nil { self?.leave(name) }
    }
    return client
  }

  private func leave(_ name: String) {
    guard let client = clients.removeValue(forKey: name) else { return }
    onLeave(client)
    // The watch may be the caller.
    connection.loop.enqueue { _ = client }
  }
}

/// A bus connection that has, or had, sessions. It is known until it leaves the bus.
final class SessionClient {
  /// The connection's unique name.
  let name: String
  /// The sessions, in order of creation.
  var sessions: [SessionObject] = []
  var presence: NameWatch?
  var liveness = ClientLiveness()
  /// The snapshots that are not sent yet, oldest first.
  var waiting: [WaitingSnapshot] = []

  init(_ name: String) {
    self.name = name
  }
}
