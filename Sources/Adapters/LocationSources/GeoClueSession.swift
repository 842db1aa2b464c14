import DBus
import EventLoop
import Instants
import Locations
import Scheduling

/// One client of GeoClue, on its own connection, with which GeoClue also releases the client.
final class GeoClueSession {
  /// Runs when the client was started.
  var onBegin: () -> Void = {}
  var onReading: (LocationReading) -> Void = { _ in }
  /// Receives the reason of a failure, after which the session retries.
  var onTrouble: (LocationHealth) -> Void = { _ in }

  private let connection: DBusConnection
  private let desktopID: String
  private let level: GeoClueLevel
  private let agent: GeoClueAgent
  private var watch: NameWatch?
  private var client: String?
  /// Drops the answers for an earlier client.
  private let answers = StaleAnswerFilter()
  private var subscriptions: [SignalSubscription] = []
  /// Whether the client was stopped in order to start it again.
  private var isAskingAgain = false
  /// The time before the client starts again.
  ///
  /// GeoClue 2.6 otherwise takes the end of the old receiver for that of the new one.
  private static let pause = Span.seconds(1)
  private lazy var restart = connection.loop.timer { [unowned self] in if let client { start(client) } }
  private var backoff = Backoff(from: .seconds(1), to: .seconds(60))
  private lazy var attempt = connection.loop.timer { [unowned self] in create() }
  private lazy var agentPatience = connection.loop.timer { [unowned self] in offerAgent() }
  /// The time in which the agent of a desktop can register after a start of GeoClue, so that ours does not replace it.
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
      if owner == nil, client != nil { lose(LocationHealth(.gone, "GeoClue has stopped")) }
    }
  }

  deinit {
    // Nothing needs the state changes that closing causes.
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
      onTrouble(LocationHealth(.gone, "\(reason.message); start the system bus, which GeoClue requires"))
    }
  }

  // MARK: - The client

  /// Requests a client. GeoClue 2.6 does not answer until this user has an agent.
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
    guard let path else { return lose(LocationHealth(.gone, "GeoClue sent an invalid answer; its version is not supported")) }
    client = path
    let updates = MatchRule(sender: GeoClueName.service, path: path, interface: GeoClueName.client, member: "LocationUpdated")
    let changes = MatchRule(
      sender: GeoClueName.service, path: path, interface: StandardName.properties, member: "PropertiesChanged",
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
    let completion = answers.current { [weak self] (reply: Result<[DBusValue], DBusError>) in
      guard let self else { return }
      isAskingAgain = false
      switch reply {
      case .success:
        backoff.reset()
        onBegin()
      case .failure(let error): lose(error)
      }
    }
    call(path, GeoClueName.client, "Start", within: .seconds(60), completion: completion)
  }

  /// Restarts the client so that GeoClue locates again; has no effect before it has started.
  func askAgain() {
    guard let client, !isAskingAgain else { return }
    isAskingAgain = true
    let completion = answers.current { [weak self] (reply: Result<[DBusValue], DBusError>) in
      switch reply {
      case .success: self?.restart.arm(after: Self.pause)
      case .failure(let error): self?.lose(error)
      }
    }
    call(client, GeoClueName.client, "Stop", completion: completion)
  }

  private func set(_ property: String, _ value: DBusValue, of path: String) {
    let completion = answers.current { [weak self] (reply: Result<[DBusValue], DBusError>) in
      if case .failure(let error) = reply { self?.lose(error) }
    }
    call(path, StandardName.properties, "Set", [.string(GeoClueName.client), .string(property), .variant(value)], completion: completion)
  }

  private func read(_ location: String) {
    call(location, StandardName.properties, "GetAll", [.string(GeoClueName.location)]) { [weak self] reply in
      // A location that no longer exists was followed by another one.
      guard case .success(let values) = reply, let reading = values.first.flatMap(LocationReading.init(geoClue:)) else { return }
      self?.onReading(reading)
    }
  }

  /// Records that the agent of this user, or the settings of GeoClue, stopped or resumed the client.
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
          "GeoClue requires an agent for this user and rejects that of beaconmond (\(error.message)); "
            + "add \(GeoClueAgent.name) to the whitelist in /etc/geoclue/geoclue.conf"))
    }
  }

  // MARK: - Trouble

  private func lose(_ error: DBusError) {
    if error.isStandard("ServiceUnknown") || error.isStandard("NameHasNoOwner") {
      lose(LocationHealth(.gone, "GeoClue is not installed; install geoclue-2.0"))
    } else {
      lose(LocationHealth(error.isStandard("AccessDenied") ? .denied : .gone, "GeoClue: \(error.message)"))
    }
  }

  private func lose(_ health: LocationHealth) {
    // A lost bus was already reported, and its return starts a new session.
    guard connection.uniqueName != nil, attempt.due == nil else { return }
    release()
    attempt.arm(after: &backoff)
    onTrouble(health)
  }

  private func release() {
    client = nil
    answers.renew()
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

/// The agent that GeoClue asks whether a program of this user may learn the location.
///
/// GeoClue 2.6 serves only users with an agent, and the user of beaconmond has no desktop that provides one. beaconmond applies its own
/// rules to its clients, so this agent permits beaconmond and no other program.
private final class GeoClueAgent {
  /// The name with which the agent registers.
  ///
  /// GeoClue accepts the agents that its configuration names, and its default configuration names this one. An agent answers only for
  /// programs of its own user.
  static let name = "geoclue-demo-agent"

  private let tree: ObjectTree
  private var object: ExportedObject?

  init(_ connection: DBusConnection, desktopID: String) throws(DBusError) {
    tree = ObjectTree(connection: connection)
    let authorize = DBusMethod(
      "AuthorizeApp", in: [DBusArgument("desktop_id", "s"), DBusArgument("req_accuracy_level", "u")],
      out: [DBusArgument("authorized", "b"), DBusArgument("allowed_accuracy_level", "u")]
    ) { call in
      let isOurs = call.arguments.first?.string == desktopID
      return [.boolean(isOurs), call.arguments[1]]
    }
    let most = DBusProperty("MaxAccuracyLevel", "u", change: .constant) { .uint32(GeoClueLevel.exact.rawValue) }
    object = try tree.export(GeoClueName.agentPath, [DBusInterface(GeoClueName.agent, methods: [authorize], properties: [most])])
  }
}
