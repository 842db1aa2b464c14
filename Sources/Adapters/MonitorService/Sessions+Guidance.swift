import ClientSessions
import Consent
import DBus
import Guidance
import Monitoring

// MARK: Guidance

extension Sessions {
  var guidanceMethods: [DBusMethod] {
    [
      consented("StartGuidance", [DBusArgument("options", "a{sv}")]) { sessions, _, arguments throws(DBusError) in
        try sessions.guidance.check(try sessions.guidanceRequest(arguments[0]))
      } _: { sessions, session, arguments throws(DBusError) in
        let request = try sessions.guidanceRequest(arguments[0])
        // The venue may have changed while a person decided.
        try sessions.guidance.check(request)
        // The signals follow the answer.
        sessions.service.beginUse(of: session.session)
        return Answer { sessions.guidance.start(request, in: session) }
      },
      method("StopGuidance") { sessions, session, _ throws(DBusError) in
        try sessions.guidance.stop(session)
        return Answer()
      },
      .deferred("Route", in: [DBusArgument("options", "a{sv}")], out: [DBusArgument("route", "a{sv}")]) { [unowned self] call in
        do throws(DBusError) {
          let session = try session(at: call.path)
          let options = try GuidanceOptions(
            call.arguments[0], "Route", keys: GuidanceOptions.keysOfRoute, languages: monitoring.languages)
          let (query, timeout) = (try options.query(), try options.timeout())
          // Without the position of the device, the answer is only about the venue, which is public.
          if query.start != nil { return guidance.route(query, timeout: timeout, call, in: session) }
          try refusing(try service.requireCapabilities(of: session.session))
          try guidance.check(GuidanceRequest(query.destination))
          service.permit(.whenInUse, session.session) { [weak self] result in
            do throws(DBusError) {
              try refusing(try result.get())
              guard let self, case let session = try self.session(at: call.path) else { return }
              service.beginUse(of: session.session)
              guidance.route(query, timeout: timeout, call, in: session)
            } catch {
              call.fail(error)
            }
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
