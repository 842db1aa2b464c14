import Consent
import DBus

// MARK: Location

extension Sessions {
  var locationMethods: [DBusMethod] {
    [
      locating("StartUpdatingLocation", ["desiredAccuracy", "distanceFilter", "significantChanges", "locale"]) {
        options throws(DBusError) in
        (request: try options.request(), locale: options.locale)
      } _: { desk, session, wanted, call, refusal throws(DBusError) in
        try desk.start(wanted.request, locale: wanted.locale, call, in: session, refusal)
      },
      method("StopUpdatingLocation") { sessions, session, _ throws(DBusError) in
        try sessions.locations.stop(session)
        return Answer()
      },
      locating("RequestLocation", ["desiredAccuracy", "timeout", "locale"], out: [DBusArgument("location", "a{sv}")]) {
        options throws(DBusError) in
        (accuracy: try options.accuracy(), timeout: try options.timeout(), locale: options.locale)
      } _: { desk, session, wanted, call, refusal throws(DBusError) in
        try desk.request(wanted.accuracy, timeout: wanted.timeout, locale: wanted.locale, call, in: session, refusal)
      },
      method("CancelLocationRequests") { sessions, session, _ throws(DBusError) in
        sessions.locations.cancelRequests(of: session)
        return Answer()
      },
      method("SetManualLocation", [DBusArgument("location", "a{sv}")]) { sessions, session, arguments throws(DBusError) in
        let keys = ["latitude", "longitude", "horizontalAccuracy", "altitude", "floor"]
        try sessions.locations.setManual(try LocationOptions(arguments[0], "SetManualLocation", keys: keys), of: session)
        return Answer { sessions.locations.reportManual(session) }
      },
    ]
  }

  var locationSignals: [DBusSignal] {
    let location = DBusArgument("location", "a{sv}")
    return [
      DBusSignal("LocationUpdated", [location]), DBusSignal("LocationRefined", [location]),
      DBusSignal("LocationUnknown", [DBusArgument("reason", "s")]),
      DBusSignal("StationaryChanged", [DBusArgument("stationary", "b")]),
      DBusSignal("CapabilitiesChanged", [DBusArgument("capabilities", "as")]),
      DBusSignal("MissingCapabilitiesChanged", [DBusArgument("missing", "aa{sv}")]),
    ]
  }

  /// Announces the capabilities that changed with the config's sources.
  func capabilitiesChanged() {
    for session in all where session.reportedCapabilities != session.capabilities {
      session.reportedCapabilities = session.capabilities
      session.emit("CapabilitiesChanged", [.strings(session.capabilities)])
    }
    locations.sourcesChanged()
    missingCapabilitiesChanged()
  }

  /// Returns a method that gives an unauthorized session the location that its own user states, if there is one.
  ///
  /// - Parameter read: refuses invalid options before the user is asked.
  private func locating<Wanted>(
    _ name: String, _ keys: [String], out outputs: [DBusArgument] = [],
    read: @escaping (LocationOptions) throws(DBusError) -> Wanted,
    _ body: @escaping (LocationSubscriptions, Session, Wanted, MethodCall, _ refusal: DBusError?) throws(DBusError) -> Void
  ) -> DBusMethod {
    .deferred(name, in: [DBusArgument("options", "a{sv}")], out: outputs) { [unowned self] call in
      do throws(DBusError) {
        let wanted = try read(try LocationOptions(call.arguments[0], name, keys: keys))
        try requireCapabilities(of: try session(at: call.path))
        whenAuthorized(.whenInUse, call) { [weak self] verdict throws(DBusError) in
          guard let self, case let session = try session(at: call.path) else { return }
          try body(locations, session, wanted, call, verdict.authorization.covers(.whenInUse) ? nil : verdict.error)
        }
      } catch {
        call.fail(error)
      }
    }
  }
}
