import DBus
import EventLoop
import Instants
import Proximity
import Ranging
import Records
import Regions

/// The sessions of all clients. One ends with its `Close` or with its client's bus connection.
final class Sessions {
  /// More is a mistake in the client, and must not become the daemon's problem.
  private static let mostPerClient = 16
  private static let mostConstraints = 16

  private final class Session {
    let path: String
    let client: String
    var object: ExportedObject?
    var presence: NameWatch?
    var constraints: [BeaconConstraint] = []
    var isScanning = false

    init(path: String, client: String) {
      self.path = path
      self.client = client
    }
  }

  private let connection: DBusConnection
  private let tree: ObjectTree
  private unowned let model: any MonitorModel
  private var sessions: [String: Session] = [:]
  private var lastNumber: UInt64 = 0

  init(_ connection: DBusConnection, _ tree: ObjectTree, model: any MonitorModel) {
    self.connection = connection
    self.tree = tree
    self.model = model
  }

  /// The new session's path.
  func create(for client: String, options: DBusValue) throws(DBusError) -> String {
    if let unknown = options.entries?.first?.key.string {
      throw .monitor("InvalidOptions", "unknown option \"\(unknown)\"; CreateSession takes none yet")
    }
    guard sessions.values.count(where: { $0.client == client }) < Self.mostPerClient else {
      throw .monitor(
        "LimitsExceeded", "this connection has \(Self.mostPerClient) sessions already; close one or use it for several constraints")
    }
    lastNumber += 1
    let session = Session(path: MonitorNames.path(ofSession: lastNumber), client: client)
    session.object = try tree.export(session.path, [interface(session.path)], owner: client)
    sessions[session.path] = session
    let path = session.path
    session.presence = connection.watchName(client) { [weak self] owner in
      if owner == nil { self?.close(path) }
    }
    return path
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
    for session in sessions.values where session.isScanning { emit("Scanned", [scan.dbusValue], to: session) }
  }

  private func close(_ path: String) {
    guard let session = sessions.removeValue(forKey: path) else { return }
    for constraint in session.constraints { model.stopRanging(constraint) }
    if session.isScanning { model.stopScanning() }
    // The object may be the one whose call is being answered, and the watch the one that called.
    connection.loop.enqueue { _ = session }
  }

  private func startRanging(_ path: String, _ options: DBusValue) throws(DBusError) {
    let constraint = try BeaconConstraint(options: options)
    guard let session = sessions[path], !session.constraints.contains(constraint) else { return }
    guard session.constraints.count < Self.mostConstraints else {
      throw .monitor("LimitsExceeded", "this session ranges \(Self.mostConstraints) constraints already; stop one or range a wider one")
    }
    session.constraints.append(constraint)
    model.startRanging(constraint)
    // After the reply, so that a client sees its call answered before the first snapshot.
    connection.loop.enqueue { [weak self] in
      guard let self, let session = sessions[path], session.constraints.contains(constraint),
        let snapshot = model.snapshot(of: constraint)
      else { return }
      send(constraint, snapshot.beacons, at: snapshot.time, to: session)
    }
  }

  private func stopRanging(_ path: String, _ options: DBusValue) throws(DBusError) {
    let constraint = try BeaconConstraint(options: options)
    guard let session = sessions[path], let index = session.constraints.firstIndex(of: constraint) else {
      throw .monitor("NotRanging", "this session does not range \(constraint)")
    }
    session.constraints.remove(at: index)
    model.stopRanging(constraint)
  }

  private func send(_ constraint: BeaconConstraint, _ beacons: [RangedBeacon], at time: Instant, to session: Session) {
    let time = UInt64(max(0, model.wallClock(time).microseconds))
    let beacons = beacons.map { $0.record(wallClock: model.wallClock).dbusValue }
    emit("Ranged", [constraint.record.dbusValue, .uint64(time), .array(of: "a{sv}", beacons)], to: session)
  }

  private func setScanning(_ path: String, _ isScanning: Bool) {
    guard let session = sessions[path], session.isScanning != isScanning else { return }
    session.isScanning = isScanning
    if isScanning { model.startScanning() } else { model.stopScanning() }
  }

  private func emit(_ signal: String, _ arguments: [DBusValue], to session: Session) {
    do {
      try session.object?.emit(MonitorNames.session, signal, arguments)
    } catch {
      // The bus is away or does not take more: the next second brings another snapshot, and a lost client ends its session.
    }
  }

  private func interface(_ path: String) -> DBusInterface {
    let constraint = DBusArgument("constraint", "a{sv}")
    return DBusInterface(
      MonitorNames.session,
      methods: [
        DBusMethod("StartRanging", in: [constraint]) { [unowned self] (call) throws(DBusError) in
          try startRanging(path, call.arguments[0])
          return []
        },
        DBusMethod("StopRanging", in: [constraint]) { [unowned self] (call) throws(DBusError) in
          try stopRanging(path, call.arguments[0])
          return []
        },
        DBusMethod("StartScanning") { [unowned self] (_) throws(DBusError) in
          setScanning(path, true)
          return []
        },
        DBusMethod("StopScanning") { [unowned self] (_) throws(DBusError) in
          setScanning(path, false)
          return []
        },
        DBusMethod("Close") { [unowned self] (_) throws(DBusError) in
          close(path)
          return []
        },
      ],
      signals: [
        DBusSignal("Ranged", [constraint, DBusArgument("time", "t"), DBusArgument("beacons", "aa{sv}")]),
        DBusSignal("Scanned", [DBusArgument("scan", "a{sv}")]),
      ])
  }
}
