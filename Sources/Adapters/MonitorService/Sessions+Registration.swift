import Consent
import ConsentService
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
      method("UnregisterRegion", [identifier]) { sessions, session, arguments throws(DBusError) in
        let (app, identifier) = (try session.app(), arguments[0].string ?? "")
        guard sessions.monitoring.registeredIdentifiers(of: app, user: session.user.id).contains(identifier) else {
          throw .monitor("NotRegistered", "\(app) has not registered \"\(identifier)\"; see RegisteredRegions")
        }
        try sessions.monitoring.remove(identifier, of: app, user: session.user.id)
        return Answer()
      },
      method("FollowRegisteredRegions", out: [DBusArgument("journals", "as"), DBusArgument("sequence", "t")]) { sessions, session, _ in
        session.isFollowing = true
        guard let journal = sessions.monitoring.journal(of: session.user.id) else { return Answer(values: [.strings([]), .uint64(0)]) }
        return Answer(values: [.strings(journal.earlierNames + [journal.name]), .uint64(journal.lastSequence)])
      },
      method(
        "RegisteredEventsSince", [DBusArgument("journal", "s"), DBusArgument("sequence", "t"), DBusArgument("limit", "u")],
        out: [DBusArgument("events", "aa{sv}")]
      ) { sessions, session, arguments throws(DBusError) in
        guard session.verdict.authorization.covers(.always) else { throw session.verdict.error }
        guard let journal = sessions.monitoring.journal(of: session.user.id) else {
          throw .monitor(MonitorNames.journalChanged, "no app of \(session.user.name) has registered a region")
        }
        return Answer(values: try journal.events(arguments))
      },
    ]
  }

  private var registerRegion: DBusMethod {
    .deferred("RegisterRegion", in: [DBusArgument("region", "a{sv}")]) { [unowned self] call in
      do throws(DBusError) {
        // An invalid registration is refused before the user is asked.
        let session = try session(at: call.path)
        try requireCapabilities(of: session)
        _ = try session.app()
        _ = try region(try RegionDefinition.nodes(call.arguments[0]), of: session.owner)
      } catch {
        return call.fail(error)
      }
      whenAuthorized(.always, call) { [weak self] verdict throws(DBusError) in
        // The session may have ended while a person decided.
        guard let self, case let session = try session(at: call.path) else { return }
        guard verdict.authorization.covers(.always) else { throw verdict.error }
        let identifier = try register(call.arguments[0], in: session)
        session.reportedAuthorization = verdict.authorization
        call.reply()
        session.reportState(of: identifier, monitoring.watch(identifier, of: try session.app(), user: session.user.id))
      }
    }
  }

  private func register(_ options: DBusValue, in session: Session) throws(DBusError) -> String {
    let (app, definition) = (try session.app(), try RegionDefinition.nodes(options))
    let identifier = try region(definition, of: session.owner).identifier
    if case let known = monitoring.registeredIdentifiers(of: app, user: session.user.id), !known.contains(identifier) {
      try SessionLimits.admitRegistration(known.count, of: app, session.user, registered: monitoring.registrationCount(of: session.user.id))
    }
    do throws(RegistrationError) {
      try monitoring.register(definition, as: identifier, of: app, for: session.claim)
    } catch {
      throw .failed(error.reason)
    }
    return identifier
  }

  /// Sends an event to the following sessions of the registered region's user.
  func sendRegistered(_ event: RegionEvent, details: Event) throws(DBusError) {
    let transition = event.transition
    guard let (user, app) = monitoring.app(of: transition.region.owner) else { return }
    let followers = all.filter { $0.isFollowing && $0.user.id == user }
    guard !followers.isEmpty else { return }
    let signal = try PreparedSignal(
      interface: MonitorNames.session, member: "RegisteredEvent",
      [
        .uint64(event.sequence), .string(transition.kind.rawValue), .string(app.description), .string(transition.region.identifier),
        details.dbusValue,
      ])
    for session in followers { try send(signal, to: session) }
  }
}

extension Session {
  /// Returns the app that owns the session's registrations; throws `NoAppId` if the session has none.
  func app() throws(DBusError) -> AppID {
    guard let app = claim.app else {
      throw .monitor(
        "NoAppId",
        "this session has no appId, so no app could be woken; pass the name of your desktop file to CreateSession, such as \"org.example.Guide\""
      )
    }
    return app
  }
}
