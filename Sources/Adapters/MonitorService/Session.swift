import Consent
import DBus
import Events
import Locations
import MonitorProtocol
import Records
import Regions

/// What one client asked for, and what the daemon does for it.
final class Session {
  let path: String
  unowned let client: SessionClient
  let user: SessionUser
  let claim: ConsentClient
  /// Of its regions.
  let owner: RegionOwner
  /// What its client knows it may.
  var toldAuthorization: Authorization
  /// What its client knows the device can do for it.
  var toldCapabilities: [String] = []
  private(set) var constraints: [BeaconConstraint] = []
  /// The identifiers of its regions, in the order in which they came.
  private(set) var regions: [String] = []
  /// Those of them that are the config's: its events are the session's too.
  private(set) var configuredRegions: Set<String> = []
  private(set) var isScanning = false
  /// Where its own user says the device is: told where consent or a source is missing.
  var manualLocation: Location?
  /// How many of its calls wait until people have decided.
  var waitingCalls = 0
  /// Whether its client is told what happens at the registered regions of its user.
  var isFollowing = false
  private unowned let model: any MonitorModel
  private unowned let authority: any ConsentAuthority
  private var object: ExportedObject?
  private var hasMonitored = false
  private var isInUse = false

  init(
    _ number: UInt32, _ client: SessionClient, _ claim: ConsentClient, model: any MonitorModel, _ authority: any ConsentAuthority
  ) {
    path = MonitorNames.newSessionPath()
    owner = .session(number)
    self.client = client
    user = client.user
    self.claim = claim
    self.model = model
    self.authority = authority
    toldAuthorization = authority.verdict(for: claim.person).authorization
    user.sessions += 1
    toldCapabilities = capabilities
  }

  /// What this device can do for it.
  var capabilities: [String] {
    (model.hearsBeacons ? ["beaconRanging", "beaconRegions"] : [])
      + (model.locations.hasSources ? ["circularRegions", "location", "significantLocationChanges"] : [])
  }

  var verdict: ConsentPolicy.Verdict { authority.verdict(for: claim.person) }

  /// Its client is told something from now on.
  func beginUse() {
    toldAuthorization = verdict.authorization
    if !isInUse { authority.begin(claim) }
    isInUse = true
  }

  func export(on tree: ObjectTree, _ interface: DBusInterface) throws(DBusError) {
    object = try tree.export(path, [interface], for: .only(client.name))
  }

  /// It is gone.
  func end() {
    stop()
    user.sessions -= 1
  }

  /// Nobody asks for anything any more.
  func stop() {
    client.waiting.removeAll { $0.session === self }
    for constraint in constraints { model.stopRanging(constraint) }
    let own = regions.filter { !configuredRegions.contains($0) }
    if !own.isEmpty { model.stopMonitoring(own, of: owner) }
    user.constraints -= constraints.count
    user.regions -= regions.count
    (constraints, regions, configuredRegions) = ([], [], [])
    if hasMonitored { model.forget(owner) }
    hasMonitored = false
    setScanning(false)
    if isInUse { authority.end(claim) }
    isInUse = false
  }

  /// To its client alone.
  func emit(_ signal: String, _ arguments: [DBusValue]) {
    do throws(DBusError) {
      try emit(PreparedSignal(interface: MonitorNames.session, member: signal, arguments))
    } catch {
      // The bus is away, and the session about to end with it.
    }
  }

  func emit(_ signal: PreparedSignal) throws(DBusError) {
    try object?.emit(signal)
  }
}

// MARK: Ranging and scanning

extension Session {
  /// False when it was ranged already.
  func startRanging(_ constraint: BeaconConstraint) throws(DBusError) -> Bool {
    guard !constraints.contains(constraint) else { return false }
    try SessionLimits.admitConstraint(self)
    constraints.append(constraint)
    user.constraints += 1
    model.startRanging(constraint)
    return true
  }

  func stopRanging(_ constraint: BeaconConstraint) throws(DBusError) {
    guard let index = constraints.firstIndex(of: constraint) else {
      throw .monitor("NotRanging", "this session does not range \(constraint)")
    }
    constraints.remove(at: index)
    user.constraints -= 1
    model.stopRanging(constraint)
    dropWaiting(.ranging(constraint))
  }

  func setScanning(_ isScanning: Bool) {
    guard self.isScanning != isScanning else { return }
    self.isScanning = isScanning
    if isScanning {
      model.startScanning()
    } else {
      model.stopScanning()
      dropWaiting(.scanning)
    }
  }

  /// What waits because of a congestion must not come after the answer.
  func dropWaiting(_ subject: SharedSnapshot.Subject) {
    client.waiting.removeAll { $0.session === self && $0.snapshot.subject == subject }
  }
}

// MARK: Monitoring

extension Session {
  /// One of the same identifier is replaced, without an event.
  ///
  /// - Parameter registered: how many regions its user's apps have registered.
  func startMonitoring(_ region: Region, registered: Int) throws(DBusError) {
    if !regions.contains(region.identifier) {
      try SessionLimits.admitRegion(self, registered: registered)
      regions.append(region.identifier)
      user.regions += 1
    }
    configuredRegions.remove(region.identifier)
    hasMonitored = true
    model.startMonitoring(region)
  }

  /// Takes part in a region of the config. One of its own with the same identifier is replaced, without an event.
  ///
  /// - Parameter registered: As above.
  func startMonitoring(configured identifier: String, registered: Int) throws(DBusError) {
    if !regions.contains(identifier) {
      try SessionLimits.admitRegion(self, registered: registered)
      regions.append(identifier)
      user.regions += 1
    } else if !configuredRegions.contains(identifier) {
      model.stopMonitoring([identifier], of: owner)
    }
    configuredRegions.insert(identifier)
  }

  func stopMonitoring(_ identifier: String) throws(DBusError) {
    guard let index = regions.firstIndex(of: identifier) else { throw .notMonitoring(identifier) }
    regions.remove(at: index)
    user.regions -= 1
    if configuredRegions.remove(identifier) == nil { model.stopMonitoring([identifier], of: owner) }
  }

  /// How things stand now.
  func tellState(of identifier: String, _ watch: RegionWatch?) {
    guard let watch else { return }
    tellState(of: identifier, watch.stateRecord(model))
  }

  func tellState(of identifier: String, _ state: Record) {
    emit("RegionState", [.string(identifier), state.dbusValue])
  }
}

extension DBusError {
  static func notMonitoring(_ identifier: String) -> DBusError {
    .monitor("NotMonitoring", "this session does not monitor \"\(identifier)\"; MonitoredRegions tells what it monitors")
  }
}
