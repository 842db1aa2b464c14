import Beacons
import ClientSessions
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

  func interface(of object: SessionObject) -> DBusInterface {
    var interface = interface
    let (service, session) = (service, object.session)
    // A client that may not receive signals for all clients may not receive PropertiesChanged either, so these properties never send it.
    interface.properties = [
      DBusProperty("Authorization", "s", change: .silent) { [unowned service] in
        .string(service.verdict(of: session).authorization.rawValue)
      },
      DBusProperty("AuthorizationReason", "s", change: .silent) { [unowned service] in .string(service.verdict(of: session).reason) },
      DBusProperty("Capabilities", "as", change: .silent) { [unowned service] in .strings(service.capabilities) },
      DBusProperty("MissingCapabilities", "aa{sv}", change: .silent) { [unowned service] in
        .array(of: "a{sv}", service.missing(of: session).map(\.record.dbusValue))
      },
      DBusProperty("MonitoredRegions", "as", change: .silent) { .strings(session.regions) },
      DBusProperty("RegisteredRegions", "as", change: .silent) { [unowned monitoring] in
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
        try refusing(try sessions.service.requireBeacons())
      } _: { sessions, object, arguments throws(DBusError) in
        try sessions.startRanging(arguments[0], in: object)
      },
      method("StopRanging", [constraint]) { sessions, object, arguments throws(DBusError) in
        let constraint = try BeaconConstraint(options: arguments[0])
        try refusing(try sessions.service.stopRanging(constraint, in: object.session))
        return Answer()
      },
      method("ReportReception", [DBusArgument("isReported", "b")]) { sessions, object, arguments in
        sessions.service.setReceptionReported(arguments[0].boolean ?? false, in: object.session)
        return Answer()
      },
      consented("StartMonitoring", [DBusArgument("region", "a{sv}")]) { sessions, object, arguments throws(DBusError) in
        let definition = try RegionDefinition.nodes(arguments[0])
        // Only authorized clients may learn which regions the config has.
        if RegionDefinition.onlyIdentifier(arguments[0]) == nil {
          _ = try refusing(try sessions.service.region(definition, in: object.session))
        }
      } _: { sessions, object, arguments throws(DBusError) in
        try sessions.startMonitoring(arguments[0], in: object)
      },
      method("StopMonitoring", [identifier]) { sessions, object, arguments throws(DBusError) in
        try refusing(try sessions.service.stopMonitoring(arguments[0].string ?? "", in: object.session))
        return Answer()
      },
    ]
  }

  private var otherMethods: [DBusMethod] {
    let identifier = DBusArgument("identifier", "s")
    return [
      method("RequestState", [identifier], out: [DBusArgument("details", "a{sv}")]) { sessions, object, arguments throws(DBusError) in
        Answer(values: [try sessions.state(of: arguments[0].string ?? "", in: object).record.dbusValue])
      },
      consented("StartScanning") { sessions, _, _ throws(DBusError) in
        try refusing(try sessions.service.requireBeacons())
      } _: { sessions, object, _ throws(DBusError) in
        try refusing(try sessions.service.startScanning(in: object.session))
        return Answer()
      },
      method("StopScanning") { sessions, object, _ in
        sessions.service.stopScanning(in: object.session)
        return Answer()
      },
      method("Close") { sessions, object, _ in
        sessions.close(object)
        return Answer()
      },
    ]
  }

  func method(
    _ name: String, _ inputs: [DBusArgument] = [], out outputs: [DBusArgument] = [],
    _ body: @escaping (Sessions, SessionObject, [DBusValue]) throws(DBusError) -> Answer
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
