import Beacons
import Consent
import DBus
import EventLoop
import Instants
import MonitorProtocol
import Records
import Scheduling

/// A daemon session for a whole program.
///
/// Requests continue across restarts of the daemon and of the bus. The session lets the bus start the daemon if possible, and
/// otherwise waits for it.
public final class RemoteSession {
  let connection: DBusConnection
  private let opener: SessionOpener
  let handler: (RemoteSessionEvent) -> Void
  var plan = SessionPlan()
  /// The language of the names of places in requested locations; nil for that of the daemon.
  public var locale: String?
  private(set) var path: String?
  private var signals: SignalSubscription?
  private var presence: NameWatch?
  let answers = StaleAnswerFilter()
  private var hasActivated = false
  /// The keys of the appointments that the session has, by their identifiers.
  var appointments: [String: String] = [:]
  /// The follower of the events of expected beacons; nil while the program does not want them.
  var beaconEvents: EventFollower?
  var beaconEventsAreRefused = false
  private var backoff = Backoff.ofDaemon
  lazy var searchDeadline = connection.loop.timer { [unowned self] in perform(plan.advance(to: connection.loop.now)) }
  private lazy var retry = connection.loop.timer { [unowned self] in if presence?.owner != nil { perform(plan.daemonAppeared()) } }
  /// Maximum time for an answer, which may depend on a person's decision.
  static let thinking = Span.seconds(300)
  private static let away = DBusError(
    name: DBusError.standardPrefix + "ServiceUnknown", message: "beaconmond is not running; the session waits for it")

  /// - Parameters:
  ///   - purpose: the reason for using locations and beacons, in a line of at most 200 characters, shown in the request for consent.
  ///   - appID: the name of the program, such as "org.example.Guide"; nil if it has none.
  ///   - requirements: the names of the capabilities without which the daemon refuses all requests.
  ///   - isPassive: whether ranging uses only the sightings of scans for others.
  ///   - handler: called on the loop, and only while it runs.
  public convenience init(
    loop: Loop, address: BusAddress, purpose: String, appID: String?, requirements: [String] = [], isPassive: Bool = false,
    handler: @escaping (RemoteSessionEvent) -> Void
  ) throws(DBusError) {
    self.init(
      try DBusConnection(loop: loop, address: address), purpose: purpose, appID: appID, requirements: requirements, isPassive: isPassive,
      handler: handler)
    connection.onStateChange = { [unowned self] in
      if case .disconnected(let reason) = $0 { lose(reason) } else { hasActivated = false }
    }
  }

  /// Creates a session on a connection that the program also uses for other requests.
  ///
  /// Releasing the session leaves the connection open, and with it the session in the daemon.
  public init(
    _ connection: DBusConnection, purpose: String, appID: String?, requirements: [String] = [], isPassive: Bool = false,
    handler: @escaping (RemoteSessionEvent) -> Void
  ) {
    self.connection = connection
    opener = SessionOpener(
      connection, SessionClaim(purpose: purpose, appID: appID, requirements: requirements, isPassive: isPassive))
    self.handler = handler
    let rule = MatchRule(sender: MonitorNames.bus, interface: MonitorNames.session)
    signals = connection.addMatch(rule) { [unowned self] in if $0.path == path { receive($0) } }
    presence = connection.watchName(MonitorNames.bus) { [unowned self] in ownerChanged($0) }
  }

  public func startRanging(_ constraint: BeaconConstraint) { perform(plan.startRanging(constraint)) }

  public func startMonitoring(_ region: RequestedRegion) { perform(plan.startMonitoring(region)) }

  public func stop(_ request: SessionRequest) { perform(plan.stop(request)) }

  public func requestState(_ identifier: String) { perform(plan.requestState(identifier)) }

  public func register(_ region: RequestedRegion) { perform(plan.register(region)) }

  public func unregister(_ identifier: String) { perform(plan.unregister(identifier)) }

  /// Requests the identifiers of all regions that the app has registered. Fails at once if there is no session.
  public func registeredRegions(completion: @escaping (Result<[String], DBusError>) -> Void) {
    guard let path else { return completion(.failure(Self.away)) }
    connection.call(
      destination: MonitorNames.bus, path: path, interface: StandardName.properties, member: "Get",
      [.string(MonitorNames.session), .string("RegisteredRegions")]
    ) { completion($0.map { $0.first?.strings ?? [] }) }
  }

  public func requestAuthorization(_ use: Use) { perform(plan.requestAuthorization(use)) }

  var now: Instant { WallClock.now }

  func perform(_ actions: [SessionPlan.Action]) {
    defer { searchDeadline.arm(at: plan.searches.nextDeadline) }
    for action in actions {
      switch action {
      case .open: open()
      case .authorize(let use): authorize(use)
      case .start(.ranging(let constraint), let number): start("StartRanging", constraint.record, number)
      case .start(.monitoring(let region), let number): start("StartMonitoring", region.record, number)
      case .start(.locating(let options), let number): start("StartUpdatingLocation", options.record, number)
      case .start(.heading(let options), let number): start("StartUpdatingHeading", options.record, number)
      case .start(.guiding(let options), let number): start("StartGuidance", options.record, number)
      case .start(.appointment(let key, let options), let number): add(key, options, number)
      case .stop(.appointment(let key)): removeAppointment(key)
      case .stop(.guiding): call("StopGuidance", []) { _ in }
      case .stop(.heading): call("StopUpdatingHeading", []) { _ in }
      case .stop(.locating): call("StopUpdatingLocation", []) { _ in }
      case .search(let search): request(search)
      case .cancelSearches: call("CancelLocationRequests", []) { _ in }
      case .setManualLocation(let location): call("SetManualLocation", [(location?.record ?? Record()).dbusValue]) { _ in }
      case .stop(.ranging(let constraint)): call("StopRanging", [constraint.record.dbusValue]) { _ in }
      case .stop(.monitoring(let identifier)): call("StopMonitoring", [.string(identifier)]) { _ in }
      case .requestState(let identifier): requestStateNow(identifier)
      case .register(let region): register("RegisterRegion", region.record.dbusValue, region.identifier)
      case .unregister(let identifier): register("UnregisterRegion", .string(identifier), identifier)
      case .report(let event): handler(event)
      }
    }
  }
}

// MARK: Presence of the daemon

extension RemoteSession {
  private func ownerChanged(_ owner: String?) {
    opener.daemonVanished()
    if owner != nil {
      // An owner that directly follows another one is a new daemon as well.
      if path != nil { lose(Self.away) }
      perform(plan.daemonAppeared())
    } else if case .disconnected(let reason) = connection.state {
      lose(reason)
    } else {
      lose(Self.away)
      activate()
    }
  }

  private func lose(_ reason: DBusError) {
    answers.renew()
    path = nil
    appointments = [:]
    retry.disarm()
    perform(plan.lost(reason, at: now))
  }

  /// Starts the daemon once for each connection, so that a daemon that an administrator stops later stays stopped.
  private func activate() {
    guard !hasActivated else { return }
    hasActivated = true
    connection.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "StartServiceByName",
      [.string(MonitorNames.bus), .uint32(0)]
    ) { _ in /* The name has an owner then, or it is waited for. */ }
  }

  private func open() {
    answers.renew()
    opener.open { [unowned self] answer in
      switch answer {
      case .success(let session):
        path = session
        askAuthorization()
      case .failure(let error): tryAgain(error)
      }
    }
  }

  private func askAuthorization() {
    call("GetAll", [.string(MonitorNames.session)], interface: StandardName.properties) { [unowned self] reply in
      switch reply {
      case .success(let values):
        backoff.reset()
        handler(.missing(Self.missing(values.first?["MissingCapabilities"])))
        let authorization = values.first?["Authorization"]?.string.flatMap(Authorization.init(rawValue:)) ?? .notDetermined
        perform(
          plan.opened(
            authorization, reason: values.first?["AuthorizationReason"]?.string ?? "",
            capabilities: values.first?["Capabilities"]?.strings ?? [], at: now))
      case .failure(let error): tryAgain(error)
      }
    }
  }

  /// Gives the session up, and opens another one later.
  func tryAgain(_ error: DBusError) {
    if let path { connection.closeSession(path) }
    lose(error)
    retry.arm(after: &backoff)
  }
}
