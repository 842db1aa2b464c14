import DBus
import Events
import MonitorProtocol

/// The events of the regions that apps of this user have registered, from a place on: first those that were missed, then those that happen, each once and
/// in order, over restarts of the daemon and of the bus. It takes no right but the user's own.
public final class RegisteredFollower: EventFollowing {
  /// Everything that was missed has been handed over.
  public var onCaughtUp: () -> Void = {}
  /// The daemon does not answer as it should. It is asked again, and nothing more is said of it until it answers.
  public var onTrouble: (DBusError) -> Void = { _ in }

  private let connection: DBusConnection
  private let purpose: String
  let handler: ([Event]) -> Void
  private var replay: EventReplay
  private var signals: SignalSubscription?
  private var presence: NameWatch?
  private var session: String?
  /// Nobody has registered a region yet.
  private var isWithoutJournal = false
  /// Counts sessions.
  private(set) var generation = 0
  private(set) lazy var retry = FollowerRetry(connection.loop) { [unowned self] in session == nil ? open() : begin() }

  init(_ connection: DBusConnection, purpose: String, from places: EventPlaces, handler: @escaping ([Event]) -> Void) {
    self.connection = connection
    self.purpose = purpose
    self.handler = handler
    replay = EventReplay(places: places, start: .beginning)
    let rule = MatchRule(sender: MonitorNames.bus, interface: MonitorNames.session)
    signals = connection.addMatch(rule) { [unowned self] in if $0.path == session { receive($0) } }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] owner in
      session = nil
      generation += 1
      retry.reset()
      replay.daemonVanished()
      if owner != nil { open() }
    }
  }

  deinit {
    if let session { connection.call(session: session, "Close") { _ in /* The session ends with the connection at the latest. */ } }
  }

  /// Up to where events were handed over.
  public var places: EventPlaces { replay.places }

  private func open() {
    generation += 1
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "CreateSession",
      [.options(["purpose": .string(purpose)])],
      // A session whose answer nobody waits for any more counts against the limits all the same.
      timeout: RemoteSession.thinking,
      completion: current { [unowned self] values in
        session = values.first?.objectPath
        begin()
      })
  }

  /// What was asked before is not waited for: its answer would be handed over a second time.
  private func begin() {
    generation += 1
    perform(replay.daemonAppeared())
  }

  private func receive(_ signal: DBusMessage) {
    switch signal.member {
    case "RegisteredEvent":
      guard signal.signature == "tsssa{sv}", let event = Event(signal.arguments[4]) else { return }
      // The first event of all says that there is a journal.
      if isWithoutJournal { begin() } else { perform(replay.heard(event)) }
    case "AuthorizationChanged":
      // What was refused before may be told now.
      begin()
    case "Stopped":
      session = nil
      retry.disarm()
      replay.daemonVanished()
      open()
    default: break
    }
  }

  func askJournals() {
    guard let session else { return }
    connection.call(
      session: session, "FollowRegisteredRegions",
      completion: current { [unowned self] values in
        let journals = values.first?.strings ?? []
        isWithoutJournal = journals.isEmpty
        guard let name = journals.last else { return catchUp() }
        perform(replay.journalsAre(Array(journals.dropLast()), current: name, lastSequence: values.last?.integer() ?? 0))
      })
  }

  func askEvents(_ place: EventPlace) {
    guard let session else { return }
    let page: [DBusValue] = [.string(place.journal), .uint64(place.sequence), .uint32(UInt32(RemoteJournal.pageSize))]
    connection.call(
      session: session, "RegisteredEventsSince", page,
      completion: current { [unowned self] values in
        perform(replay.eventsAre((values.first?.elements ?? []).compactMap { Event($0) }))
      } orElse: { [unowned self] error in
        if error.name == MonitorNames.errorPrefix + MonitorNames.journalChanged { return perform(replay.eventsAre(nil)) }
        // Nothing is told, and nothing was missed: AuthorizationChanged will say when that is over.
        if error.isLackOfConsent { catchUp() } else { fail(error) }
      })
  }
}

extension MonitorClient {
  /// Calls `handler` with the events after `places` of the regions that apps of this user have registered, those that were missed and then those that
  /// happen, in order, while the follower is held.
  ///
  /// - Parameter purpose: shown to whoever looks who listens.
  public func followRegistered(
    from places: EventPlaces = EventPlaces(), purpose: String, handler: @escaping ([Event]) -> Void
  ) -> RegisteredFollower {
    RegisteredFollower(connection, purpose: purpose, from: places, handler: handler)
  }
}
