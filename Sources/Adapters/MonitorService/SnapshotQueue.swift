import DBus
import EventLoop
import Instants

/// Hands the bus as many snapshots as it takes, one of each client in turn. Those that still wait when the next come are left out, but for the latest place
/// of each session.
final class SnapshotQueue {
  /// The next snapshots come after that.
  private static let mostAge = Span.seconds(1)
  /// A capture that plays as fast as it can brings more than one of each in a second.
  private static let mostPerClient = 1024

  private let connection: DBusConnection
  /// Clients to which something may be sent, none twice.
  private var ready: [SessionClient] = []
  /// The client has to be asked whether it takes what it is sent.
  var onAsk: (SessionClient) -> Void = { _ in }
  /// The client is lost, for this reason.
  var onEnd: (SessionClient, String) -> Void = { _, _ in }

  init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// Waits for `send`.
  func add(_ snapshot: SharedSnapshot, for session: Session) {
    let (client, now) = (session.client, connection.loop.now)
    if let first = client.waiting.first, now - first.since >= Self.mostAge {
      leaveOut(of: client) { now - $0.since >= Self.mostAge }
    }
    if client.waiting.count >= Self.mostPerClient { client.waiting.remove(at: client.waiting.firstIndex { !$0.snapshot.isPlace } ?? 0) }
    client.waiting.append(WaitingSnapshot(session: session, snapshot: snapshot, since: now))
    resume(client)
  }

  /// Keeps the latest place of each session.
  private func leaveOut(of client: SessionClient, where isOver: (WaitingSnapshot) -> Bool) {
    var placed: Set<String> = []
    var kept: [WaitingSnapshot] = []
    for waiting in client.waiting.reversed() {
      let isLatestPlace = waiting.snapshot.isPlace && placed.insert(waiting.session.path).inserted
      if isLatestPlace || !isOver(waiting) { kept.append(waiting) }
    }
    client.waiting = kept.reversed()
  }

  /// The client may be sent something again.
  func resume(_ client: SessionClient) {
    if !client.waiting.isEmpty, !ready.contains(where: { $0 === client }) { ready.append(client) }
  }

  func forget(_ client: SessionClient) {
    client.waiting = []
    ready.removeAll { $0 === client }
  }

  /// Sends until the bus is congested; to be called again when it is not any more.
  func send() {
    while !ready.isEmpty, connection.outgoingSize <= DBusConnection.congestionThreshold {
      let client = ready.removeFirst()
      if sendNext(to: client) { resume(client) }
    }
  }

  /// Whether the client may be sent more.
  private func sendNext(to client: SessionClient) -> Bool {
    guard let next = client.waiting.first else { return false }
    do throws(DBusError) {
      let signal = try next.snapshot.signal()
      switch client.pulse.snapshot(of: signal.size, at: connection.loop.now) {
      case .send(let asking):
        client.waiting.removeFirst()
        try next.session.emit(signal)
        if asking { onAsk(client) }
        return true
      case .wait:
        return false
      case .leaveOut:
        // What is kept goes when the ping is answered.
        leaveOut(of: client) { _ in true }
        return false
      case .end(let reason):
        onEnd(client, reason)
        return false
      }
    } catch {
      // The bus is away or does not take more: the next second brings other snapshots.
      client.waiting = []
      return false
    }
  }
}
