import DBus
import EventLoop
import Instants
import Locations

/// One client of GeoClue, from its creation to its end, on a connection of its own: what GeoClue keeps for it goes with the connection.
final class GeoClueSession {
  /// It was told to begin.
  var onBegin: () -> Void = {}
  var onReading: (LocationReading) -> Void = { _ in }
  /// It does not work, and why. It tries again by itself.
  var onTrouble: (LocationHealth) -> Void = { _ in }

  private let connection: DBusConnection
  private let desktopID: String
  private let level: GeoClueLevel
  private let agent: GeoClueAgent
  private var watch: NameWatch?
  private var client: String?
  private var subscriptions: [SignalSubscription] = []
  /// It was stopped so that it starts.
  private var isAskingAgain = false
  /// GeoClue 2.6 takes the end of a receiver that it has just let go for the end of the one that it begins with, and forgets it.
  private static let pause = Span.seconds(1)
  private lazy var restart = connection.loop.timer { [unowned self] in if let client { start(client) } }
  private var backoff = Backoff(from: .seconds(1), to: .seconds(60))
  private lazy var attempt = connection.loop.timer { [unowned self] in create() }
  private lazy var agentPatience = connection.loop.timer { [unowned self] in offerAgent() }
  /// A desktop's own agent registers when GeoClue starts; nobody else is to be displaced.
  private static let agentDelay = Span.seconds(2)

  init(
    _ loop: Loop, bus: BusAddress, environment: [String: String], desktopID: String, level: GeoClueLevel
  ) throws(DBusError) {
    self.desktopID = desktopID
    self.level = level
    connection = try DBusConnection(loop: loop, address: bus, environment: environment)
    agent = try GeoClueAgent(connection, desktopID: desktopID)
    connection.onStateChange = { [unowned self] in follow($0) }
    watch = connection.watchName(GeoClueName.service) { [unowned self] owner in
      if owner == nil, client != nil { lose(LocationHealth(.gone, "GeoClue has ended")) }
    }
  }

  deinit {
    // What closing tells has nobody left to be told to.
    connection.onStateChange = { _ in }
    watch = nil
    connection.close()
  }

  private func follow(_ state: DBusConnection.State) {
    switch state {
    case .connecting: break
    case .connected: create()
    case .disconnected(let reason):
      release()
      onTrouble(LocationHealth(.gone, "\(reason.message); GeoClue is on the system bus, start that"))
    }
  }

  // MARK: - The client

  /// GeoClue 2.6 does not answer before this user has an agent, however long that takes.
  private func create() {
    agentPatience.arm(after: Self.agentDelay)
    call(GeoClueName.managerPath, GeoClueName.manager, "GetClient", within: .seconds(86_400)) { [weak self] reply in
      self?.agentPatience.disarm()
      switch reply {
      case .success(let values): self?.begin(values.first?.objectPath)
      case .failure(let error): self?.lose(error)
      }
    }
  }

  private func begin(_ path: String?) {
    guard let path else { return lose(LocationHealth(.gone, "GeoClue answers what it should not; its version is not known")) }
    client = path
    let updates = MatchRule(sender: GeoClueName.service, path: path, interface: GeoClueName.client, member: "LocationUpdated")
    let changes = MatchRule(
      sender: GeoClueName.service, path: path, interface: GeoClueName.properties, member: "PropertiesChanged",
      argument0: GeoClueName.client)
    subscriptions = [
      connection.addMatch(updates) { [unowned self] signal in
        if signal.signature == "oo", let location = signal.arguments[1].objectPath { read(location) }
      },
      connection.addMatch(changes) { [unowned self] signal in
        if signal.signature == "sa{sv}as", let isActive = signal.arguments[1]["Active"]?.boolean { note(isActive) }
      },
    ]
    set("DesktopId", .string(desktopID), of: path)
    set("RequestedAccuracyLevel", .uint32(level.rawValue), of: path)
    start(path)
  }

  private func start(_ path: String) {
    call(path, GeoClueName.client, "Start", within: .seconds(60)) { [weak self] reply in
      // What was asked of a client that is lost is nobody's.
      guard let self, client == path else { return }
      isAskingAgain = false
      switch reply {
      case .success:
        backoff.reset()
        onBegin()
      case .failure(let error): lose(error)
      }
    }
  }

  /// Makes GeoClue look again; nothing where it has not begun to look.
  func askAgain() {
    guard let client, !isAskingAgain else { return }
    isAskingAgain = true
    call(client, GeoClueName.client, "Stop") { [weak self] reply in
      switch reply {
      case .success: if self?.client == client { self?.restart.arm(after: Self.pause) }
      case .failure(let error): self?.lose(error)
      }
    }
  }

  private func set(_ property: String, _ value: DBusValue, of path: String) {
    call(path, GeoClueName.properties, "Set", [.string(GeoClueName.client), .string(property), .variant(value)]) { [weak self] reply in
      if case .failure(let error) = reply { self?.lose(error) }
    }
  }

  private func read(_ location: String) {
    call(location, GeoClueName.properties, "GetAll", [.string(GeoClueName.location)]) { [weak self] reply in
      // One that is gone already was followed by another.
      guard case .success(let values) = reply, let reading = values.first.flatMap(LocationReading.init(geoClue:)) else { return }
      self?.onReading(reading)
    }
  }

  /// The agent of this user, or GeoClue's own settings, can stop a client and let it go on.
  private func note(_ isActive: Bool) {
    if isActive {
      onBegin()
    } else if !isAskingAgain {
      onTrouble(LocationHealth(.denied, "location is switched off for this user; switch it on in the desktop's settings"))
    }
  }

  // MARK: - The agent

  private func offerAgent() {
    call(GeoClueName.managerPath, GeoClueName.manager, "AddAgent", [.string(GeoClueAgent.name)]) { [weak self] reply in
      guard case .failure(let error) = reply else { return }
      self?.onTrouble(
        LocationHealth(
          .denied,
          "GeoClue waits for an agent of this user and does not take ours (\(error.message)); "
            + "add \(GeoClueAgent.name) to the whitelist in /etc/geoclue/geoclue.conf"))
    }
  }

  // MARK: - Trouble

  private func lose(_ error: DBusError) {
    if error.isStandard("ServiceUnknown") || error.isStandard("NameHasNoOwner") {
      lose(LocationHealth(.gone, "GeoClue is not there; install geoclue-2.0"))
    } else {
      lose(LocationHealth(error.isStandard("AccessDenied") ? .denied : .gone, "GeoClue: \(error.message)"))
    }
  }

  private func lose(_ health: LocationHealth) {
    // A lost bus has told of itself, and its return begins anew.
    guard connection.uniqueName != nil, attempt.due == nil else { return }
    release()
    var random = SystemRandomNumberGenerator()
    attempt.arm(after: backoff.next(using: &random))
    onTrouble(health)
  }

  private func release() {
    client = nil
    isAskingAgain = false
    subscriptions = []
    agentPatience.disarm()
    attempt.disarm()
    restart.disarm()
  }

  private func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [], within limit: Span = .seconds(25),
    completion: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) {
    connection.call(
      destination: GeoClueName.service, path: path, interface: interface, member: member, arguments, timeout: limit, completion: completion)
  }
}
