import Beacons
import Consent
import ConsentService
import DBus
import Events
import MonitorProtocol
import Monitoring
import Records
import Regions

/// `org.beaconmon.Monitor1.Session`. All sessions share its methods and signals.
///
/// The path of a call identifies the session, and the tree admits only the session's owner.
extension Sessions {
  /// The results of a method, and an action to run right after the answer, such as sending a snapshot.
  struct Answer {
    var values: [DBusValue] = []
    var next: () -> Void = {}
  }

  func interface(of session: Session) -> DBusInterface {
    var interface = interface
    // A client that may not receive signals for all clients may not receive PropertiesChanged either, so these properties never send it.
    interface.properties = [
      DBusProperty("Authorization", "s", change: .silent) { [unowned session] in .string(session.verdict.authorization.rawValue) },
      DBusProperty("AuthorizationReason", "s", change: .silent) { [unowned session] in .string(session.verdict.reason) },
      DBusProperty("Capabilities", "as", change: .silent) { [unowned session] in .strings(session.capabilities) },
      DBusProperty("MissingCapabilities", "aa{sv}", change: .silent) { [unowned session] in
        .array(of: "a{sv}", session.missing.map(\.record.dbusValue))
      },
      DBusProperty("MonitoredRegions", "as", change: .silent) { [unowned session] in .strings(session.regions) },
      DBusProperty("RegisteredRegions", "as", change: .silent) { [unowned self, unowned session] in
        .strings(session.claim.app.map { monitoring.registeredIdentifiers(of: $0, user: session.user.id) } ?? [])
      },
    ]
    return interface
  }

  func makeInterface() -> DBusInterface {
    let details = DBusArgument("details", "a{sv}")
    return DBusInterface(
      MonitorNames.session,
      methods: rangingAndMonitoring + registrationMethods + locationMethods + headingMethods + guidanceMethods + appointmentMethods
        + otherMethods,
      signals: [
        DBusSignal("AuthorizationChanged", [DBusArgument("authorization", "s"), DBusArgument("reason", "s")]),
        DBusSignal("Ranged", [DBusArgument("constraint", "a{sv}"), DBusArgument("time", "t"), DBusArgument("beacons", "aa{sv}")]),
        DBusSignal("Scanned", [DBusArgument("scan", "a{sv}")]),
        DBusSignal("Stopped", [DBusArgument("reason", "s")]),
        DBusSignal("RegionState", [DBusArgument("identifier", "s"), details]),
        DBusSignal("RegionEvent", [DBusArgument("sequence", "t"), DBusArgument("event", "s"), DBusArgument("identifier", "s"), details]),
        DBusSignal(
          "RegisteredEvent",
          [
            DBusArgument("sequence", "t"), DBusArgument("event", "s"), DBusArgument("appId", "s"), DBusArgument("identifier", "s"), details,
          ]),
      ] + locationSignals + headingSignals + guidanceSignals + appointmentSignals)
  }

  private var rangingAndMonitoring: [DBusMethod] {
    let constraint = DBusArgument("constraint", "a{sv}")
    let identifier = DBusArgument("identifier", "s")
    return [
      requestAuthorization,
      consented("StartRanging", [constraint]) { sessions, _, arguments throws(DBusError) in
        _ = try BeaconConstraint(options: arguments[0])
        try sessions.requireBeacons()
      } _: { sessions, session, arguments throws(DBusError) in
        try sessions.startRanging(arguments[0], in: session)
      },
      method("StopRanging", [constraint]) { _, session, arguments throws(DBusError) in
        try session.stopRanging(try BeaconConstraint(options: arguments[0]))
        return Answer()
      },
      method("ReportReception", [DBusArgument("isReported", "b")]) { _, session, arguments in
        session.setReceptionReported(arguments[0].boolean ?? false)
        return Answer()
      },
      consented("StartMonitoring", [DBusArgument("region", "a{sv}")]) { sessions, session, arguments throws(DBusError) in
        let definition = try RegionDefinition.nodes(arguments[0])
        // Only authorized clients may learn which regions the config has.
        if RegionDefinition.onlyIdentifier(arguments[0]) == nil { _ = try sessions.region(definition, of: session.owner) }
      } _: { sessions, session, arguments throws(DBusError) in
        try sessions.startMonitoring(arguments[0], in: session)
      },
      method("StopMonitoring", [identifier]) { _, session, arguments throws(DBusError) in
        try session.stopMonitoring(arguments[0].string ?? "")
        return Answer()
      },
    ]
  }

  private var otherMethods: [DBusMethod] {
    let identifier = DBusArgument("identifier", "s")
    return [
      method("RequestState", [identifier], out: [DBusArgument("details", "a{sv}")]) { sessions, session, arguments throws(DBusError) in
        Answer(values: [try sessions.state(of: arguments[0].string ?? "", in: session).record.dbusValue])
      },
      consented("StartScanning") { sessions, _, _ throws(DBusError) in
        try sessions.requireBeacons()
      } _: { sessions, session, _ throws(DBusError) in
        try sessions.requireBeacons()
        session.setScanning(true)
        return Answer()
      },
      method("StopScanning") { _, session, _ throws(DBusError) in
        session.setScanning(false)
        return Answer()
      },
      method("Close") { sessions, session, _ throws(DBusError) in
        sessions.close(session)
        return Answer()
      },
    ]
  }

  func method(
    _ name: String, _ inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [],
    _ body: @escaping (Sessions, Session, [DBusValue]) throws(DBusError) -> Answer
  ) -> DBusMethod {
    .deferred(name, in: inputs, out: outputs) { [unowned self] call in
      do throws(DBusError) {
        let answer = try body(self, try session(at: call.path), call.arguments)
        call.reply(answer.values)
        answer.next()
      } catch {
        call.fail(error)
      }
    }
  }
}
