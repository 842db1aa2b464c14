import ClientSessions
import DBus
import EventLoop
import Logging
import MonitorProtocol
import Monitoring
import Regions

/// The objects of all sessions on the bus.
///
/// A session ends with its `Close`, with its client's bus connection, or when its client does not read its signals.
final class Sessions {
  private let connection: DBusConnection
  private let tree: ObjectTree
  unowned let monitoring: MonitoringService
  private let log: Logger
  let callers: Callers
  unowned let service: SessionService
  let clients: SessionClients
  let snapshots: SnapshotQueue
  private(set) var objects: [RegionOwner: SessionObject] = [:]
  private var owners: [String: RegionOwner] = [:]
  private var hasNotedRefusal = false
  private(set) lazy var interface = makeInterface()

  init(
    _ connection: DBusConnection, _ tree: ObjectTree, _ service: SessionService, monitoring: MonitoringService, callers: Callers,
    log: Logger
  ) {
    self.callers = callers
    self.service = service
    self.connection = connection
    self.tree = tree
    self.monitoring = monitoring
    self.log = log
    clients = SessionClients(connection)
    snapshots = SnapshotQueue(connection)
    snapshots.onAsk = { [unowned self] in clients.ask($0) }
    snapshots.onEnd = { [unowned self] in stop($0, $1) }
    clients.onSilence = { [unowned self] in stop($0, $1) }
    clients.onRefusal = { [unowned self] in
      guard !hasNotedRefusal else { return }
      hasNotedRefusal = true
      log.notice("the bus does not permit liveness checks of clients: \($0.message); run \"systemctl reload dbus\"")
    }
    clients.onAnswer = { [unowned self] in
      snapshots.resume($0)
      snapshots.send()
    }
    clients.onLeave = { [unowned self] client in
      for object in client.sessions { close(object) }
      snapshots.forget(client)
    }
  }

  /// Creates a session and returns its path.
  func create(for busName: String, options: DBusValue) throws(DBusError) -> String {
    let claim = try claim(busName, options)
    let required = try requirements(options)
    let session = try refusing(
      try service.open(
        MonitorNames.newSessionPath(), for: claim, requiring: required, isPassive: options["passive"]?.boolean ?? false))
    let client = clients.client(busName)
    let object = SessionObject(session, client, self)
    objects[session.owner] = object
    owners[object.path] = session.owner
    client.sessions.append(object)
    do throws(DBusError) { try object.export(on: tree, interface(of: object)) } catch {
      close(object)
      throw error
    }
    return object.path
  }

  func session(at path: String) throws(DBusError) -> SessionObject {
    guard let owner = owners[path], let object = objects[owner] else { throw SessionRefusal.ended(path).dbusError }
    return object
  }

  func close(_ object: SessionObject) {
    guard objects.removeValue(forKey: object.session.owner) != nil else { return }
    owners[object.path] = nil
    let client = object.client
    client.sessions.removeAll { $0 === object }
    service.close(object.session)
    // The object may be the one whose call is being answered.
    connection.loop.enqueue { _ = (object, client) }
  }

  /// Ends the sessions of a client that is still on the bus, and sends it the reason, which it may read later.
  private func stop(_ client: SessionClient, _ reason: String) {
    snapshots.forget(client)
    client.liveness = ClientLiveness()
    guard let first = client.sessions.first else { return }
    log.notice("\(client.name) of \(first.session.user.name): its \(client.sessions.count) sessions were closed: \(reason)")
    for object in client.sessions {
      object.emit("Stopped", [.string(reason)])
      close(object)
    }
  }

  /// Sends an event, which is never dropped; a client that does not read loses its sessions instead.
  func send(_ signal: PreparedSignal, to object: SessionObject) throws(DBusError) {
    switch object.client.liveness.event(of: signal.size, at: connection.loop.now) {
    case .send(let asking):
      try object.emit(signal)
      if asking { clients.ask(object.client) }
    case .end(let reason): stop(object.client, reason)
    case .wait, .drop: break
    }
  }
}
