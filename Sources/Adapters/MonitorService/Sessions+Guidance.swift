import ClientSessions
import DBus
import Guidance
import MonitorProtocol
import Monitoring
import Records
import RouteReports

// MARK: Guidance

extension Sessions {
  var guidanceMethods: [DBusMethod] {
    [
      consented("StartGuidance", [DBusArgument("options", "a{sv}")]) { sessions, _, arguments throws(DBusError) in
        let request = try sessions.guidanceRequest(arguments[0])
        try refusing(try sessions.service.guidance.check(request))
      } _: { sessions, object, arguments throws(DBusError) in
        let request = try sessions.guidanceRequest(arguments[0])
        // The venue may have changed while a person decided.
        try refusing(try sessions.service.guidance.check(request))
        // The signals follow the answer.
        return Answer { sessions.service.guidance.start(request, in: object.session) }
      },
      method("StopGuidance") { sessions, object, _ throws(DBusError) in
        try refusing(try sessions.service.guidance.stop(object.session))
        return Answer()
      },
      .deferred("Route", in: [DBusArgument("options", "a{sv}")], out: [DBusArgument("route", "a{sv}")]) { [unowned self] call in
        do throws(DBusError) {
          let object = try session(at: call.path)
          let options = try GuidanceOptions(
            call.arguments[0], "Route", keys: GuidanceOptions.keysOfRoute, languages: monitoring.languages)
          service.route(try options.query(), timeout: try options.timeout(), in: object.session) {
            call.complete($0) { [$0.record.dbusValue] }
          }
        } catch {
          call.fail(error)
        }
      },
    ]
  }

  private func guidanceRequest(_ options: DBusValue) throws(DBusError) -> GuidanceRequest {
    try GuidanceOptions(options, "StartGuidance", keys: GuidanceOptions.keysOfGuidance, languages: monitoring.languages).guidance()
  }

  var guidanceSignals: [DBusSignal] {
    [
      DBusSignal("GuidanceUpdated", [DBusArgument("guidance", "a{sv}")]),
      DBusSignal("GuidanceRouteChanged", [DBusArgument("route", "a{sv}")]),
      DBusSignal("GuidanceInstruction", [DBusArgument("instruction", "a{sv}")]),
      DBusSignal("GuidanceFailed", [DBusArgument("error", "s"), DBusArgument("message", "s")]),
      DBusSignal("GuidanceEnded", [DBusArgument("reason", "s"), DBusArgument("message", "s")]),
    ]
  }
}
