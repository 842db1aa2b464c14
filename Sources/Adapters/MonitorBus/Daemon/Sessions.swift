import DBus
import EventLoop
import Instants
import Proximity
import Ranging
import Records
import Regions

/// The sessions of all clients. One ends with its `Close` or with its client's bus connection.
final class Sessions {
  private let connection: DBusConnection
  private let tree: ObjectTree
  private unowned let model: any MonitorModel
  let callers: Callers
  unowned let authority: any ConsentAuthority
  private var sessions: [String: Session] = [:]
  private var clients: [String: SessionClient] = [:]
  private var lastNumber: UInt64 = 0

  init(
    _ connection: DBusConnection, _ tree: ObjectTree, model: any MonitorModel, _ callers: Callers, _ authority: any ConsentAuthority
  ) {
    self.callers = callers
    self.authority = authority
    self.connection = connection
    self.tree = tree
    self.model = model
  }

  /// The new session's path.
  func create(for client: String, options: DBusValue) throws(DBusError) -> String {
    let claim = try claim(client, options)
    guard clients[client]?.sessions.count ?? 0 < SessionLimits.sessionsPerClient else {
      throw .tooManySessions(ofClient: SessionLimits.sessionsPerClient)
    }
    lastNumber += 1
    let session = Session(MonitorNames.path(ofSession: lastNumber), claim, model: model, authority)
    try session.export(on: tree, interface)
    sessions[session.path] = session
    self.client(client).sessions.append(session)
    return session.path
  }

  var all: some Collection<Session> { sessions.values }

  func session(at path: String) throws(DBusError) -> Session {
    guard let session = sessions[path] else { throw .unknownObject("the session \(path) has ended; create another one") }
    return session
  }

  func close(_ session: Session) {
    guard let client = clients[session.client], sessions.removeValue(forKey: session.path) != nil else { return }
    client.sessions.removeAll { $0 === session }
    if client.sessions.isEmpty { clients[session.client] = nil }
    session.end()
    // The object may be the one whose call is being answered, and the watch the one that called.
    connection.loop.enqueue { _ = (session, client) }
  }

  private func client(_ name: String) -> SessionClient {
    if let client = clients[name] { return client }
    let client = SessionClient()
    clients[name] = client
    client.presence = connection.watchName(name) { [weak self] owner in
      if owner == nil { self?.clients[name]?.sessions.forEach { self?.close($0) } }
    }
    return client
  }
}

// MARK: What they are sent

extension Sessions {
  func startRanging(_ options: DBusValue, in session: Session) throws(DBusError) {
    let constraint = try BeaconConstraint(options: options)
    guard try session.startRanging(constraint) else { return }
    // After the reply, so that a client sees its call answered before the first snapshot.
    connection.loop.enqueue { [weak self, weak session] in
      guard let self, let session, session.constraints.contains(constraint), let snapshot = model.snapshot(of: constraint) else { return }
      send(constraint, snapshot.beacons, at: snapshot.time, to: session)
    }
  }

  func send(_ snapshots: [BeaconConstraint: [RangedBeacon]], at time: Instant) {
    for session in sessions.values {
      for constraint in session.constraints {
        if let beacons = snapshots[constraint] { send(constraint, beacons, at: time, to: session) }
      }
    }
  }

  /// To those that scan.
  func send(_ scan: Record) {
    for session in sessions.values where session.isScanning { session.emit("Scanned", [scan.dbusValue]) }
  }

  private func send(_ constraint: BeaconConstraint, _ beacons: [RangedBeacon], at time: Instant, to session: Session) {
    let time = UInt64(max(0, model.wallClock(time).microseconds))
    let beacons = beacons.map { $0.record(wallClock: model.wallClock).dbusValue }
    session.emit("Ranged", [constraint.record.dbusValue, .uint64(time), .array(of: "a{sv}", beacons)])
  }
}
