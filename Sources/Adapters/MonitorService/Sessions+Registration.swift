import ClientSessions
import Consent
import DBus
import Events
import MonitorProtocol
import Monitoring
import Proximity
import Regions

/// Regions that outlive their session, and their events.
extension Sessions {
  var registrationMethods: [DBusMethod] {
    let identifier = DBusArgument("identifier", "s")
    return [
      registerRegion,
      method("UnregisterRegion", [identifier]) { sessions, object, arguments throws(DBusError) in
        try refusing(try sessions.service.unregister(arguments[0].string ?? "", in: object.session))
        return Answer()
      },
      method("FollowRegisteredRegions", out: [DBusArgument("journals", "as"), DBusArgument("sequence", "t")]) { sessions, object, _ in
        object.session.isFollowing = true
        guard let journal = sessions.monitoring.journal(of: object.session.user.id) else {
          return Answer(values: [.strings([]), .uint64(0)])
        }
        return Answer(values: [.strings(journal.earlierNames + [journal.name]), .uint64(journal.lastSequence)])
      },
      method(
        "RegisteredEventsSince", [DBusArgument("journal", "s"), DBusArgument("sequence", "t"), DBusArgument("limit", "u")],
        out: [DBusArgument("events", "aa{sv}")]
      ) { sessions, object, arguments throws(DBusError) in
        try refusing(try sessions.service.requireAuthorization(.always, of: object.session))
        let user = object.session.user
        guard let journal = sessions.monitoring.journal(of: user.id) else {
          throw .monitor(.journalChanged, "no app of \(user.name) has registered a region")
        }
        return Answer(values: try journal.events(arguments))
      },
    ]
  }

  private var registerRegion: DBusMethod {
    .deferred("RegisterRegion", in: [DBusArgument("region", "a{sv}")]) { [unowned self] call in
      do throws(DBusError) {
        // An invalid registration is refused before the user is asked.
        let object = try session(at: call.path)
        try refusing(try service.requireCapabilities(of: object.session))
        _ = try refusing(try service.app(of: object.session))
        let definition = try RegionDefinition.nodes(call.arguments[0])
        _ = try refusing(try service.region(definition, in: object.session))
        whenPermitted(.always, object, call) { sessions, object throws(DBusError) in
          let identifier = try refusing(try sessions.service.register(definition, in: object.session))
          let app = try refusing(try sessions.service.app(of: object.session))
          return Answer {
            let monitoring = sessions.monitoring
            object.reportState(of: identifier, monitoring.watch(identifier, of: app, user: object.session.user.id), monitoring)
          }
        }
      } catch {
        call.fail(error)
      }
    }
  }

  /// Sends an event to the following sessions of the registered region's user.
  func sendRegistered(_ event: RegionEvent, details: Event) throws(DBusError) {
    let transition = event.transition
    guard let (user, app) = monitoring.app(of: transition.region.owner) else { return }
    let followers = objects.values.filter { $0.session.isFollowing && $0.session.user.id == user }
    guard !followers.isEmpty else { return }
    let signal = try PreparedSignal(
      interface: MonitorNames.session, member: "RegisteredEvent",
      [
        .uint64(event.sequence), .string(transition.kind.rawValue), .string(app.description), .string(transition.region.identifier),
        details.dbusValue,
      ])
    for object in followers { try send(signal, to: object) }
  }
}
