import DBus
import Instants
import Records
import Regions

/// One ranged constraint in a session of the daemon's. Opens a new session whenever the daemon comes back.
public final class RemoteRanging {
  private let connection: DBusConnection
  private let constraint: BeaconConstraint
  private let onFailure: (DBusError) -> Void
  private let handler: (RangingSnapshot) -> Void
  private var presence: NameWatch?
  private var snapshots: SignalSubscription?
  private var session: String?
  /// Counts the daemon's comings and goings, so that an answer of an earlier one is not taken for this one's.
  private var generation = 0

  init(
    _ connection: DBusConnection, _ constraint: BeaconConstraint, onFailure: @escaping (DBusError) -> Void,
    handler: @escaping (RangingSnapshot) -> Void
  ) {
    self.connection = connection
    self.constraint = constraint
    self.onFailure = onFailure
    self.handler = handler
    let rule = MatchRule(sender: MonitorNames.bus, interface: MonitorNames.session, member: "Ranged")
    snapshots = connection.addMatch(rule) { [unowned self] in receive($0) }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] owner in
      generation += 1
      session = nil
      if owner != nil { open() }
    }
  }

  deinit {
    if let session { connection.call(session: session, "Close") { _ in /* The session ends with the connection at the latest. */ } }
  }

  private func open() {
    let generation = generation
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "CreateSession", [.options([:])]
    ) { [weak self] reply in
      guard let self, generation == self.generation else { return }
      switch reply {
      case .success(let values): start(values.first?.objectPath ?? "")
      case .failure(let error): onFailure(error)
      }
    }
  }

  private func start(_ path: String) {
    session = path
    connection.call(session: path, "StartRanging", [constraint.record.dbusValue]) { [weak self] reply in
      if case .failure(let error) = reply, !error.isStandard("Disconnected"), let self, session == path { onFailure(error) }
    }
  }

  private func receive(_ signal: DBusMessage) {
    guard signal.path == session, signal.signature == "a{sv}taa{sv}", let time = signal.arguments[1].integer(Int64.self) else { return }
    let beacons = (signal.arguments[2].elements ?? []).compactMap { Record($0) }
    handler(RangingSnapshot(time: Instant(microseconds: time), beacons: beacons))
  }
}

extension DBusConnection {
  fileprivate func call(
    session: String, _ member: String, _ arguments: [DBusValue] = [], completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    call(
      destination: MonitorNames.bus, path: session, interface: MonitorNames.session, member: member, arguments, completion: completion)
  }
}
