import DBus
import Regions

/// `org.beaconmon.Monitor1.Session`. All sessions share the methods: the path of a call says whose it is, and the tree lets only the owner in.
extension Sessions {
  var interface: DBusInterface {
    let constraint = DBusArgument("constraint", "a{sv}")
    return DBusInterface(
      MonitorNames.session,
      methods: [
        consented("StartRanging", [constraint]) { sessions, session, arguments throws(DBusError) in
          try sessions.startRanging(arguments[0], in: session)
        },
        method("StopRanging", [constraint]) { _, session, arguments throws(DBusError) in
          try session.stopRanging(try BeaconConstraint(options: arguments[0]))
        },
        consented("StartScanning") { _, session, _ throws(DBusError) in session.setScanning(true) },
        method("StopScanning") { _, session, _ throws(DBusError) in session.setScanning(false) },
        method("Close") { sessions, session, _ throws(DBusError) in sessions.close(session) },
      ] + consentMethods,
      signals: [
        DBusSignal("Ranged", [constraint, DBusArgument("time", "t"), DBusArgument("beacons", "aa{sv}")]),
        DBusSignal("Scanned", [DBusArgument("scan", "a{sv}")]),
        DBusSignal("AuthorizationChanged", [DBusArgument("authorization", "s"), DBusArgument("reason", "s")]),
      ])
  }

  /// A method that answers nothing.
  private func method(
    _ name: String, _ inputs: [DBusArgument] = [], _ body: @escaping (Sessions, Session, [DBusValue]) throws(DBusError) -> Void
  ) -> DBusMethod {
    DBusMethod(name, in: inputs) { [unowned self] call throws(DBusError) in
      try body(self, try session(at: call.path), call.arguments)
      return []
    }
  }
}
