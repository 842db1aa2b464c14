import Beacons
import Consent
import ConsentService
import DBus
import Events
import Locations
import MonitorProtocol
import Monitoring
import Orientation
import Positioning
import Records
import Regions
import Status

/// The requests of one client, and their effects in the daemon.
final class Session {
  let path: String
  /// The number of the session, which no other one has at the same time.
  let number: UInt32
  unowned let client: SessionClient
  let user: SessionUser
  let claim: ConsentClient
  /// The owner of the session's regions.
  let owner: RegionOwner
  /// The authorization that was last reported to the client.
  var reportedAuthorization: Authorization
  /// The device's capabilities that were last reported to the client.
  var reportedCapabilities: [String] = []
  /// Whether ranging in this session leaves the radio as it is for others.
  let isPassive: Bool
  /// The capabilities without which the session starts nothing.
  let required: [RequiredCapability]
  /// The missing ones that were last reported to the client.
  var reportedMissing: [MissingCapability] = []
  private(set) var constraints: [BeaconConstraint] = []
  /// The identifiers of the session's regions, in the order in which monitoring began.
  private(set) var regions: [String] = []
  /// The subset of `regions` that the config defines, whose events the session receives.
  private(set) var configuredRegions: Set<String> = []
  private(set) var isScanning = false
  /// Whether ranged beacons have their interval and loss in addition.
  private(set) var reportsReception = false
  /// The location that the session's user states, delivered where consent or a source is missing; nil if none is stated.
  var manualLocation: Location?
  /// The accuracy in metres of the location updates that the session requested last.
  var wantedAccuracy = 0.0
  /// The language of the names of places in locations, by the last request; nil for that of the daemon.
  var locale: String?
  /// The number of the session's calls that wait for a decision.
  var waitingCalls = 0
  /// True if the client receives the events of its user's registered regions.
  var isFollowing = false
  private unowned let monitoring: MonitoringService
  private unowned let positioning: PositioningService
  private unowned let orientation: HeadingService
  private unowned let authority: ConsentService
  private var object: ExportedObject?
  private var hasMonitored = false
  private var isInUse = false

  init(
    _ number: UInt32, _ client: SessionClient, _ claim: ConsentClient, _ required: [RequiredCapability], isPassive: Bool,
    monitoring: MonitoringService, positioning: PositioningService, orientation: HeadingService, authority: ConsentService
  ) {
    path = MonitorNames.newSessionPath()
    owner = .session(number)
    self.number = number
    self.client = client
    user = client.user
    self.claim = claim
    (self.required, self.isPassive) = (required, isPassive)
    self.monitoring = monitoring
    self.positioning = positioning
    self.orientation = orientation
    self.authority = authority
    reportedAuthorization = authority.verdict(for: claim.person).authorization
    user.sessions += 1
    (reportedCapabilities, reportedMissing) = (capabilities, missing)
  }

  /// The capabilities that the session requires and the device lacks at present.
  var missing: [MissingCapability] { monitoring.missing(of: required) }

  /// The capabilities of this device for the session.
  var capabilities: [String] {
    (monitoring.source.hearsBeacons ? ["beaconRanging", "beaconRegions"] : [])
      + (positioning.hasSources ? ["circularRegions", "location", "significantLocationChanges"] : [])
      + (orientation.isAvailable ? ["heading"] : [])
  }

  var verdict: ConsentPolicy.Verdict { authority.verdict(for: claim.person) }

  /// Records that the client receives data from now on.
  func beginUse() {
    reportedAuthorization = verdict.authorization
    if !isInUse { authority.begin(claim) }
    isInUse = true
  }

  func export(on tree: ObjectTree, _ interface: DBusInterface) throws(DBusError) {
    object = try tree.export(path, [interface], for: .only(client.name))
  }

  /// Stops the session and removes it from its user's quota.
  func end() {
    stop()
    setReceptionReported(false)
    user.sessions -= 1
  }

  /// Cancels ranging, monitoring and scanning, and releases the session's quota.
  func stop() {
    client.waiting.removeAll { $0.session === self }
    for constraint in constraints { monitoring.stopRanging(constraint, isPassive: isPassive) }
    let own = regions.filter { !configuredRegions.contains($0) }
    if !own.isEmpty { monitoring.stopMonitoring(own, of: owner) }
    user.constraints -= constraints.count
    user.regions -= regions.count
    (constraints, regions, configuredRegions) = ([], [], [])
    if hasMonitored { monitoring.forget(owner) }
    hasMonitored = false
    setScanning(false)
    if isInUse { authority.end(claim) }
    isInUse = false
  }

  /// Sends a signal to the session's client alone.
  func emit(_ signal: String, _ arguments: [DBusValue]) {
    do throws(DBusError) {
      try emit(PreparedSignal(interface: MonitorNames.session, member: signal, arguments))
    } catch {
      // The bus is disconnected, so the session is about to end.
    }
  }

  func emit(_ signal: PreparedSignal) throws(DBusError) {
    try object?.emit(signal)
  }
}

// MARK: Ranging and scanning

extension Session {
  /// Starts ranging; returns false if the session ranges the constraint already.
  func startRanging(_ constraint: BeaconConstraint) throws(DBusError) -> Bool {
    guard !constraints.contains(constraint) else { return false }
    try SessionLimits.admitConstraint(self)
    constraints.append(constraint)
    user.constraints += 1
    monitoring.startRanging(constraint, isPassive: isPassive)
    return true
  }

  func stopRanging(_ constraint: BeaconConstraint) throws(DBusError) {
    guard let index = constraints.firstIndex(of: constraint) else {
      throw .monitor("NotRanging", "this session does not range \(constraint)")
    }
    constraints.remove(at: index)
    user.constraints -= 1
    monitoring.stopRanging(constraint, isPassive: isPassive)
    dropWaiting(.ranging(constraint))
  }

  /// Adds the interval and the loss to ranged beacons, or leaves them out.
  func setReceptionReported(_ isReported: Bool) {
    guard reportsReception != isReported else { return }
    reportsReception = isReported
    monitoring.countReception(isWanted: isReported)
  }

  func setScanning(_ isScanning: Bool) {
    guard self.isScanning != isScanning else { return }
    self.isScanning = isScanning
    if isScanning {
      monitoring.startScanning()
    } else {
      monitoring.stopScanning()
      dropWaiting(.scanning)
    }
  }

  /// Drops the waiting snapshots of a subject, which must not arrive after the answer to the call that stopped it.
  func dropWaiting(_ subject: SharedSnapshot.Subject) {
    client.waiting.removeAll { $0.session === self && $0.snapshot.subject == subject }
  }
}

// MARK: Monitoring

extension Session {
  /// Starts monitoring a region. A region of the same identifier is replaced without an event.
  ///
  /// - Parameter registered: the number of regions that the apps of the session's user have registered.
  func startMonitoring(_ region: Region, registered: Int) throws(DBusError) {
    if !regions.contains(region.identifier) {
      try SessionLimits.admitRegion(self, registered: registered)
      regions.append(region.identifier)
      user.regions += 1
    }
    configuredRegions.remove(region.identifier)
    hasMonitored = true
    monitoring.startMonitoring(region)
  }

  /// Starts monitoring a configured region. The session's own region of the same identifier is replaced without an event.
  ///
  /// - Parameter registered: the number of regions that the apps of the session's user have registered.
  func startMonitoring(configured identifier: String, registered: Int) throws(DBusError) {
    if !regions.contains(identifier) {
      try SessionLimits.admitRegion(self, registered: registered)
      regions.append(identifier)
      user.regions += 1
    } else if !configuredRegions.contains(identifier) {
      monitoring.stopMonitoring([identifier], of: owner)
    }
    configuredRegions.insert(identifier)
  }

  func stopMonitoring(_ identifier: String) throws(DBusError) {
    guard let index = regions.firstIndex(of: identifier) else { throw .notMonitoring(identifier) }
    regions.remove(at: index)
    user.regions -= 1
    if configuredRegions.remove(identifier) == nil {
      monitoring.stopMonitoring([identifier], of: owner)
    }
  }

  /// Sends the client the region's present state; does nothing without a watch.
  func reportState(of identifier: String, _ watch: RegionWatch?) {
    guard let watch else { return }
    reportState(of: identifier, watch.report(monitoring))
  }

  func reportState(of identifier: String, _ report: RegionReport) {
    emit("RegionState", [.string(identifier), report.record.dbusValue])
  }
}

extension DBusError {
  static func notMonitoring(_ identifier: String) -> DBusError {
    .monitor("NotMonitoring", "this session does not monitor \"\(identifier)\"; see MonitoredRegions")
  }
}
