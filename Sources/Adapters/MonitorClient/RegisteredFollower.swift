import DBus
import Events
import MonitorProtocol

/// The events of the regions that apps of this user have registered, after a place, in order and without repetition.
///
/// The follower first delivers the missed events, and then new ones. It continues across restarts of the daemon and of the bus. It
/// requires no privilege beyond the user's own.
public final class RegisteredFollower: EventFollowing {
  /// Called when all missed events have been delivered.
  public var onCaughtUp: () -> Void = {}
  /// Called when the daemon fails to answer. The follower retries, and stays silent until the daemon answers.
  public var onTrouble: (DBusError) -> Void = { _ in }

  private let connection: DBusConnection
  private let purpose: String
  let handler: ([Event]) -> Void
  private var replay: EventReplay
  private var signals: SignalSubscription?
  private var presence: NameWatch?
  private var session: String?
  /// True if no app of this user has registered a region yet.
  private var isWithoutJournal = false
  /// The number of opened sessions and begun replays.
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

  /// The places after the last delivered events.
  public var places: EventPlaces { replay.places }

  private func open() {
    generation += 1
    connection.call(
      destination: MonitorNames.bus, path: MonitorNames.root, interface: MonitorNames.manager, member: "CreateSession",
      [.options(["purpose": .string(purpose)])],
      // A session counts against the limits even if its answer arrives after a timeout.
      timeout: RemoteSession.thinking,
      completion: current { [unowned self] values in
        session = values.first?.objectPath
        begin()
      })
  }

  /// Starts the replay anew and ignores pending answers, which would deliver their events a second time.
  private func begin() {
    generation += 1
    perform(replay.daemonAppeared())
  }

  private func receive(_ signal: DBusMessage) {
    switch signal.member {
    case "RegisteredEvent":
      guard signal.signature == "tsssa{sv}", let event = Event(signal.arguments[4]) else { return }
      // The first event of a user shows that a journal exists now.
      if isWithoutJournal { begin() } else { perform(replay.heard(event)) }
    case "AuthorizationChanged":
      // Events that were denied before may be available now.
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
        // Without consent there are no events, and none were missed. AuthorizationChanged reports the end of this state.
        if error.isLackOfConsent { catchUp() } else { fail(error) }
      })
  }
}

extension MonitorClient {
  /// Calls `handler` with the events after `places` of the regions that this user's apps have registered.
  ///
  /// The missed events come first, then new ones, in order, while the returned follower is held.
  ///
  /// - Parameter purpose: the reason for following, shown in the list of clients.
  public func followRegistered(
    from places: EventPlaces = EventPlaces(), purpose: String, handler: @escaping ([Event]) -> Void
  ) -> RegisteredFollower {
    RegisteredFollower(connection, purpose: purpose, from: places, handler: handler)
  }
}
