import DBus
import EventLoop
import Instants

/// A queue that sends as many snapshots as the bus accepts, one of each client in turn.
///
/// Snapshots that still wait when the next ones come are dropped, except for the latest states of each session.
final class SnapshotQueue {
  /// Maximum age of a waiting snapshot; the next snapshots arrive after that.
  private static let mostAge = Span.seconds(1)
  /// Maximum number of waiting snapshots. A capture in fast playback brings more than one of each subject in a second.
  private static let mostPerClient = 1024

  /// One state for one session.
  private struct Mark: Hashable {
    let session: String
    let state: SharedSnapshot.State
  }

  private let connection: DBusConnection
  /// The clients to which a snapshot may be sent, without duplicates.
  private var ready: [SessionClient] = []
  /// Pings a client.
  var onAsk: (SessionClient) -> Void = { _ in }
  /// Receives a lost client, and the reason.
  var onEnd: (SessionClient, String) -> Void = { _, _ in }

  init(_ connection: DBusConnection) {
    self.connection = connection
  }

  /// Queues a snapshot for the next `send`.
  func add(_ snapshot: SharedSnapshot, for session: SessionObject) {
    let (client, now) = (session.client, connection.loop.now)
    if let first = client.waiting.first, now - first.since >= Self.mostAge {
      leaveOut(of: client) { now - $0.since >= Self.mostAge }
    }
    if client.waiting.count >= Self.mostPerClient { client.waiting.remove(at: client.waiting.firstIndex { $0.snapshot.state == nil } ?? 0) }
    client.waiting.append(WaitingSnapshot(session: session, snapshot: snapshot, since: now))
    resume(client)
  }

  /// Drops the waiting snapshots that satisfy `isOver`, except for the latest states of each session.
  private func leaveOut(of client: SessionClient, where isOver: (WaitingSnapshot) -> Bool) {
    var placed: Set<Mark> = []
    var kept: [WaitingSnapshot] = []
    for waiting in client.waiting.reversed() {
      let isLatest = waiting.snapshot.state.map { placed.insert(Mark(session: waiting.session.path, state: $0)).inserted } ?? false
      if isLatest || !isOver(waiting) { kept.append(waiting) }
    }
    client.waiting = kept.reversed()
  }

  /// Makes a client with waiting snapshots eligible for sending again.
  func resume(_ client: SessionClient) {
    if !client.waiting.isEmpty, !ready.contains(where: { $0 === client }) { ready.append(client) }
  }

  func forget(_ client: SessionClient) {
    client.waiting = []
    ready.removeAll { $0 === client }
  }

  /// Sends until the bus is congested; call it again when the congestion has ended.
  func send() {
    while !ready.isEmpty, connection.outgoingSize <= DBusConnection.congestionThreshold {
      let client = ready.removeFirst()
      if sendNext(to: client) { resume(client) }
    }
  }

  /// Sends the next snapshot of a client, and returns true if the client can take another.
  private func sendNext(to client: SessionClient) -> Bool {
    guard let next = client.waiting.first else { return false }
    do throws(DBusError) {
      let signal = try next.snapshot.signal()
      switch client.liveness.snapshot(of: signal.size, at: connection.loop.now) {
      case .send(let asking):
        client.waiting.removeFirst()
        try next.session.emit(signal)
        if asking { onAsk(client) }
        return true
      case .wait:
        return false
      case .drop:
        // The remaining snapshots go out when the client answers the ping.
        leaveOut(of: client) { _ in true }
        return false
      case .end(let reason):
        onEnd(client, reason)
        return false
      }
    } catch {
      // The bus is disconnected or accepts no more; the next second brings new snapshots.
      client.waiting = []
      return false
    }
  }
}
