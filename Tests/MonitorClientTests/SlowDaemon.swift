import DBus
import MonitorProtocol
import Testing

@testable import MonitorClient

/// A daemon that answers requests for sessions at the command of a test.
final class SlowDaemon {
  private(set) var isThere = false
  private(set) var requests = 0
  /// The paths of the closed sessions.
  private(set) var closed: [String] = []
  /// The number of calls of `StartGuidance` in all sessions.
  private(set) var starts = 0
  private var calls: [MethodCall] = []
  private let connection: DBusConnection
  private let tree: ObjectTree
  private var objects: [ExportedObject] = []
  private var name: OwnedName?
  private var sessions = 0

  init(_ connection: DBusConnection) throws {
    self.connection = connection
    tree = ObjectTree(connection: connection, managerPath: MonitorNames.root)
    let create = DBusMethod.deferred(
      "CreateSession", in: [DBusArgument("options", "a{sv}")], out: [DBusArgument("session", "o")]
    ) { [unowned self] call in
      requests += 1
      calls.append(call)
    }
    objects = [try tree.export(MonitorNames.root, [DBusInterface(MonitorNames.manager, methods: [create])])]
    name = connection.requestName(MonitorNames.bus) { [unowned self] in isThere = $0 == .owned }
  }

  /// The number of requests without an answer.
  var waiting: Int { calls.count }

  /// Answers the oldest request with a new session.
  func answer() {
    sessions += 1
    let path = MonitorNames.path(ofSession: "\(sessions)")
    let close = DBusMethod("Close", in: [], out: []) { [unowned self] _ throws(DBusError) in
      closed.append(path)
      return []
    }
    let start = DBusMethod("StartGuidance", in: [DBusArgument("options", "a{sv}")], out: []) { [unowned self] _ throws(DBusError) in
      starts += 1
      return []
    }
    do {
      objects.append(try tree.export(path, [DBusInterface(MonitorNames.session, methods: [close, start])]))
      calls.removeFirst().reply([.objectPath(path)])
    } catch {
      Issue.record(error)
    }
  }

  func refuse() { calls.removeFirst().fail(.monitor(.limitsExceeded, "not now")) }
}
