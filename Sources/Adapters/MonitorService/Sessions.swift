import ConfigurationTree
import Consent
import ConsentService
import DBus
import Departures
import EventLoop
import Events
import Guidance
import Logging
import MonitorProtocol
import Monitoring
import Orientation
import Positioning
import Proximity
import Regions

/// The sessions of all clients.
///
/// A session ends with its `Close`, with its client's bus connection, or when its client does not read its signals.
final class Sessions {
  private let connection: DBusConnection
  private let tree: ObjectTree
  unowned let monitoring: MonitoringService
  private unowned let positioning: PositioningService
  private let log: Logger
  let callers: Callers
  unowned let authority: ConsentService
  let clients: SessionClients
  let snapshots: SnapshotQueue
  let locations: LocationSubscriptions
  let headings: HeadingSubscriptions
  let appointments: AppointmentSubscriptions
  let guidance: GuidanceSubscriptions
  private unowned let orientation: HeadingService
  private(set) var sessions: [RegionOwner: Session] = [:]
  private var owners: [String: RegionOwner] = [:]
  private var lastNumber: UInt32 = 0
  private var hasNotedRefusal = false
  private(set) lazy var interface = makeInterface()

  init(
    _ connection: DBusConnection, _ tree: ObjectTree, monitoring: MonitoringService, positioning: PositioningService,
    orientation: HeadingService, guidance: GuidanceService, departures: DepartureService, callers: Callers, authority: ConsentService,
    log: Logger
  ) {
    self.callers = callers
    self.authority = authority
    self.connection = connection
    self.tree = tree
    self.monitoring = monitoring
    self.positioning = positioning
    self.orientation = orientation
    self.log = log
    clients = SessionClients(connection)
    snapshots = SnapshotQueue(connection)
    locations = LocationSubscriptions(monitoring, positioning, snapshots)
    headings = HeadingSubscriptions(orientation, snapshots)
    appointments = AppointmentSubscriptions(departures)
    self.guidance = GuidanceSubscriptions(guidance, snapshots)
    locations.onEvent = { [unowned self] (signal, session) throws(DBusError) in try send(signal, to: session) }
    self.guidance.onEvent = locations.onEvent
    snapshots.onAsk = { [unowned self] in clients.ask($0) }
    snapshots.onEnd = { [unowned self] in stop($0, $1) }
    clients.onSilence = { [unowned self] in stop($0, $1) }
    clients.onRefusal = { [unowned self] in
      guard !hasNotedRefusal else { return }
      hasNotedRefusal = true
      log.notice("the bus does not permit liveness checks of clients: \($0.message); run \"systemctl reload dbus\"")
    }
    clients.onAnswer = { [unowned self] in
      snapshots.resume($0)
      snapshots.send()
    }
    clients.onLeave = { [unowned self] client in
      for session in client.sessions { close(session) }
      snapshots.forget(client)
    }
  }

  /// Creates a session and returns its path.
  func create(for busName: String, options: DBusValue) throws(DBusError) -> String {
    let claim = try claim(busName, options)
    let required = try requirements(options)
    let client = clients.client(busName, of: claim.person.number)
    try SessionLimits.admitSession(client)
    repeat {
      lastNumber = lastNumber < RegionOwner.lastSession ? lastNumber + 1 : 1
    } while sessions[.session(lastNumber)] != nil
    let session = Session(
      lastNumber, client, claim, required, isPassive: options["passive"]?.boolean ?? false, monitoring: monitoring,
      positioning: positioning, orientation: orientation, authority: authority)
    sessions[session.owner] = session
    owners[session.path] = session.owner
    client.sessions.append(session)
    do throws(DBusError) { try session.export(on: tree, interface(of: session)) } catch {
      close(session)
      throw error
    }
    return session.path
  }

  var all: some Collection<Session> { sessions.values }

  func session(at path: String) throws(DBusError) -> Session {
    guard let owner = owners[path], let session = sessions[owner] else {
      throw .unknownObject("the session \(path) has ended; create another one")
    }
    return session
  }

  func close(_ session: Session) {
    guard sessions.removeValue(forKey: session.owner) != nil else { return }
    owners[session.path] = nil
    let client = session.client
    client.sessions.removeAll { $0 === session }
    locations.forget(session, .unknownObject("the session has ended"))
    headings.forget(session)
    appointments.forget(session)
    guidance.forget(session, .unknownObject("the session has ended"))
    session.end()
    // The object may be the one whose call is being answered.
    connection.loop.enqueue { _ = (session, client) }
  }

  /// Ends the sessions of a client that is still on the bus, and sends it the reason, which it may read later.
  private func stop(_ client: SessionClient, _ reason: String) {
    snapshots.forget(client)
    client.liveness = ClientLiveness()
    guard !client.sessions.isEmpty else { return }
    log.notice("\(client.name) of \(client.user.name): its \(client.sessions.count) sessions were closed: \(reason)")
    for session in client.sessions {
      session.emit("Stopped", [.string(reason)])
      close(session)
    }
  }
}

// MARK: Monitoring

extension Sessions {
  /// Starts monitoring a region; its state follows right after the answer, and then its changes.
  func startMonitoring(_ options: DBusValue, in session: Session) throws(DBusError) -> Answer {
    if let identifier = RegionDefinition.onlyIdentifier(options) { return try startMonitoring(configured: identifier, in: session) }
    let definition = try RegionDefinition.nodes(options)
    let region = try region(definition, of: session.owner)
    try session.startMonitoring(region, registered: monitoring.registrationCount(of: session.user.id))
    return Answer { [monitoring] in session.reportState(of: region.identifier, monitoring.watch(region.identifier, of: session.owner)) }
  }

  /// Starts monitoring a configured region, with the state, settings and events that it has in the config.
  private func startMonitoring(configured identifier: String, in session: Session) throws(DBusError) -> Answer {
    guard monitoring.watch(identifier, of: .config) != nil else {
      throw .monitor(
        "InvalidRegion",
        "identifier: beaconmon.toml has no region \"\(identifier)\"; specify uuid, or latitude, longitude and radius, to define one")
    }
    try session.startMonitoring(configured: identifier, registered: monitoring.registrationCount(of: session.user.id))
    return Answer { [self] in session.reportState(of: identifier, configuredState(of: identifier)) }
  }

  private func configuredState(of identifier: String) -> RegionReport {
    monitoring.watch(identifier, of: .config)?.report(monitoring)
      ?? RegionReport(.unknown, note: "this region is no longer in beaconmon.toml")
  }

  /// Sends the present state of configured regions that were removed or added to the sessions that monitor them.
  func configuredRegionsChanged(_ identifiers: Set<String>) {
    for session in all {
      for identifier in session.configuredRegions.intersection(identifiers).sorted() {
        session.reportState(of: identifier, configuredState(of: identifier))
      }
    }
  }

  /// Sends an event of a configured region to the sessions that monitor it.
  func sendConfigured(_ event: RegionEvent, details: Event) throws(DBusError) {
    let identifier = event.transition.region.identifier
    let sessions = all.filter { $0.configuredRegions.contains(identifier) }
    guard !sessions.isEmpty else { return }
    let signal = try signal(of: event, details)
    for session in sessions { try send(signal, to: session) }
  }

  func region(_ definition: [String: ConfigurationNode], of owner: RegionOwner) throws(DBusError) -> Region {
    let region: Region
    do throws(RegionRefusal) { region = try monitoring.region(definition, of: owner) } catch {
      throw .monitor("InvalidRegion", error.reason)
    }
    if region.kind == .beacon { try requireBeacons() }
    return region
  }

  /// Throws `NoBeaconSource` if no beacon source is configured, because the client would wait for ever.
  func requireBeacons() throws(DBusError) {
    guard !monitoring.source.hearsBeacons else { return }
    throw .monitor(
      "NoBeaconSource", "this device does not scan for beacons, because source is \"none\" in beaconmon.toml; see Capabilities")
  }

  /// Returns the present state of a region of the session or its app; throws `NotMonitoring` for any other.
  func state(of identifier: String, in session: Session) throws(DBusError) -> RegionReport {
    if session.configuredRegions.contains(identifier) { return configuredState(of: identifier) }
    if let watch = monitoring.watch(identifier, of: session.owner) { return watch.report(monitoring) }
    guard let app = session.claim.app,
      monitoring.registeredIdentifiers(of: app, user: session.user.id).contains(identifier)
    else {
      throw .notMonitoring(identifier)
    }
    if let watch = monitoring.watch(identifier, of: app, user: session.user.id) { return watch.report(monitoring) }
    return RegionReport(.unknown, note: "idle: \(session.verdict.reason)")
  }

  /// Sends an event to the session that owns the region, if it still exists.
  func send(_ event: RegionEvent, details: Event) throws(DBusError) {
    guard let session = sessions[event.transition.region.owner] else { return }
    try send(signal(of: event, details), to: session)
  }

  private func signal(of event: RegionEvent, _ details: Event) throws(DBusError) -> PreparedSignal {
    let transition = event.transition
    return try PreparedSignal(
      interface: MonitorNames.session, member: "RegionEvent",
      [.uint64(event.sequence), .string(transition.kind.rawValue), .string(transition.region.identifier), details.dbusValue])
  }

  /// Sends an event, which is never dropped; a client that does not read loses its sessions instead.
  func send(_ signal: PreparedSignal, to session: Session) throws(DBusError) {
    switch session.client.liveness.event(of: signal.size, at: connection.loop.now) {
    case .send(let asking):
      try session.emit(signal)
      if asking { clients.ask(session.client) }
    case .end(let reason): stop(session.client, reason)
    case .wait, .drop: break
    }
  }
}
