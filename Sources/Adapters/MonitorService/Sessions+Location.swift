import MonitorProtocol
import ClientSessions
import DBus
import Locations
import Records

// MARK: Location

extension Sessions {
  var locationMethods: [DBusMethod] {
    [
      locating("StartUpdatingLocation", ["desiredAccuracy", "distanceFilter", "significantChanges", "locale"]) {
        options throws(DBusError) in
        (request: try options.request(), locale: options.locale)
      } _: { service, session, wanted, call in
        service.startUpdatingLocation(wanted.request, locale: wanted.locale, in: session) { call.complete($0) { [] } }
      },
      method("StopUpdatingLocation") { sessions, object, _ throws(DBusError) in
        try refusing(try sessions.service.locations.stop(object.session))
        return Answer()
      },
      locating("RequestLocation", ["desiredAccuracy", "timeout", "locale"], out: [DBusArgument("location", "a{sv}")]) {
        options throws(DBusError) in
        (accuracy: try options.accuracy(), timeout: try options.timeout(), locale: options.locale)
      } _: { service, session, wanted, call in
        service.requestLocation(wanted.accuracy, timeout: wanted.timeout, locale: wanted.locale, in: session) {
          call.complete($0) { [$0.record.dbusValue] }
        }
      },
      method("CancelLocationRequests") { sessions, object, _ in
        sessions.service.locations.cancelSearches(of: object.session)
        return Answer()
      },
      method("SetManualLocation", [DBusArgument("location", "a{sv}")]) { sessions, object, arguments throws(DBusError) in
        let keys = ["latitude", "longitude", "horizontalAccuracy", "altitude", "floor"]
        let options = try LocationOptions(arguments[0], "SetManualLocation", keys: keys)
        object.session.manualLocation = try options.location(at: sessions.service.locations.now)
        return Answer { sessions.service.locations.reportManual(object.session) }
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

  /// Returns a method that the service answers.
  ///
  /// - Parameter read: refuses invalid options before the user is asked.
  private func locating<Wanted>(
    _ name: String, _ keys: [String], out outputs: [DBusArgument] = [],
    read: @escaping (LocationOptions) throws(DBusError) -> Wanted,
    _ body: @escaping (SessionService, ClientSession, Wanted, MethodCall) -> Void
  ) -> DBusMethod {
    .deferred(name, in: [DBusArgument("options", "a{sv}")], out: outputs) { [unowned self] call in
      do throws(DBusError) {
        let wanted = try read(try LocationOptions(call.arguments[0], name, keys: keys))
        body(service, try session(at: call.path).session, wanted, call)
      } catch {
        call.fail(error)
      }
    }
  }
}
