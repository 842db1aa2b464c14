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
  private var sessions: [RegionOwner: Session] = [:]
  private var clients: [String: SessionClient] = [:]
  private var lastNumber: UInt64 = 0
  private lazy var interface = makeInterface()

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
    let session = Session(lastNumber, claim, model: model, authority)
    try session.export(on: tree, Self.interface(of: session, interface))
    sessions[session.owner] = session
    self.client(client).sessions.append(session)
    return session.path
  }

  var all: some Collection<Session> { sessions.values }

  func session(at path: String) throws(DBusError) -> Session {
    guard let number = MonitorNames.session(at: path), let session = sessions[.session(number)] else {
      throw .unknownObject("the session \(path) has ended; create another one")
    }
    return session
  }

  func close(_ session: Session) {
    guard let client = clients[session.client], sessions.removeValue(forKey: session.owner) != nil else { return }
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
  /// Its first snapshot comes right after the answer.
  func startRanging(_ options: DBusValue, in session: Session) throws(DBusError) -> Answer {
    let constraint = try BeaconConstraint(options: options)
    guard try session.startRanging(constraint) else { return Answer() }
    return Answer { [self] in
      if let snapshot = model.snapshot(of: constraint) { send(constraint, snapshot.beacons, at: snapshot.time, to: session) }
    }
  }

  /// The state comes right after the answer, and from there on what changes.
  func startMonitoring(_ options: DBusValue, in session: Session) throws(DBusError) -> Answer {
    let definition = try RegionDefinition.nodes(options)
    let region: BeaconRegion
    do throws(RegionRefusal) { region = try model.region(definition, of: session.owner) } catch {
      throw .monitor("InvalidRegion", error.reason)
    }
    try session.startMonitoring(region)
    return Answer { session.tellState(of: region.identifier) }
  }

  /// To the session that the region belongs to, if there is one.
  func send(_ event: RegionEvent, details: Record) {
    let transition = event.transition
    sessions[transition.region.owner]?.emit(
      "RegionEvent",
      [
        .uint64(event.sequence), .string(transition.kind.rawValue), .string(transition.region.identifier), details.dbusValue,
      ])
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
