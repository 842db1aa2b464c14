import Consent
import DBus
import Records
import Regions

/// What one client asked for, and what the daemon does for it.
final class Session {
  let path: String
  let claim: ConsentClient
  /// Of its regions.
  let owner: RegionOwner
  /// What its client knows it may.
  var toldAuthorization: Authorization
  private(set) var constraints: [BeaconConstraint] = []
  /// The identifiers of its regions, in the order in which they came.
  private(set) var regions: [String] = []
  private(set) var isScanning = false
  private unowned let model: any MonitorModel
  private unowned let authority: any ConsentAuthority
  private var object: ExportedObject?
  private var hasMonitored = false
  private var ticket: ConsentTicket?

  init(_ number: UInt64, _ claim: ConsentClient, model: any MonitorModel, _ authority: any ConsentAuthority) {
    path = MonitorNames.path(ofSession: number)
    owner = .session(number)
    self.claim = claim
    self.model = model
    self.authority = authority
    toldAuthorization = authority.verdict(for: claim.person).authorization
  }

  var verdict: ConsentPolicy.Verdict { authority.verdict(for: claim.person) }

  /// The unique name of the connection that it belongs to.
  var client: String { claim.busName }

  /// Its client is told something from now on.
  func beginUse() {
    toldAuthorization = verdict.authorization
    if ticket == nil { ticket = authority.begin(claim) }
  }

  func export(on tree: ObjectTree, _ interface: DBusInterface) throws(DBusError) {
    object = try tree.export(path, [interface], for: .only(client))
  }

  /// Nobody asks for anything any more.
  func end() {
    for constraint in constraints { model.stopRanging(constraint) }
    constraints = []
    if !regions.isEmpty { model.stopMonitoring(regions, of: owner) }
    regions = []
    if hasMonitored { model.forget(owner) }
    setScanning(false)
    if let ticket { authority.end(ticket) }
    ticket = nil
  }

  /// To its client alone.
  func emit(_ signal: String, _ arguments: [DBusValue]) {
    do {
      try object?.emit(MonitorNames.session, signal, arguments)
    } catch {
      // The bus is away or does not take more: the next second brings another snapshot, and a lost client ends its session.
    }
  }
}

// MARK: Ranging and scanning

extension Session {
  /// False when it was ranged already.
  func startRanging(_ constraint: BeaconConstraint) throws(DBusError) -> Bool {
    guard !constraints.contains(constraint) else { return false }
    guard constraints.count < SessionLimits.constraintsPerSession else {
      throw .tooManyConstraints(inSession: SessionLimits.constraintsPerSession)
    }
    constraints.append(constraint)
    model.startRanging(constraint)
    return true
  }

  func stopRanging(_ constraint: BeaconConstraint) throws(DBusError) {
    guard let index = constraints.firstIndex(of: constraint) else {
      throw .monitor("NotRanging", "this session does not range \(constraint)")
    }
    constraints.remove(at: index)
    model.stopRanging(constraint)
  }

  func setScanning(_ isScanning: Bool) {
    guard self.isScanning != isScanning else { return }
    self.isScanning = isScanning
    if isScanning { model.startScanning() } else { model.stopScanning() }
  }
}

// MARK: Monitoring

extension Session {
  /// One of the same identifier is replaced, without an event.
  func startMonitoring(_ region: BeaconRegion) throws(DBusError) {
    if !regions.contains(region.identifier) {
      guard regions.count < SessionLimits.regionsPerSession else { throw .tooManyRegions(inSession: SessionLimits.regionsPerSession) }
      regions.append(region.identifier)
    }
    hasMonitored = true
    model.startMonitoring(region)
  }

  func stopMonitoring(_ identifier: String) throws(DBusError) {
    guard let index = regions.firstIndex(of: identifier) else { throw .notMonitoring(identifier) }
    regions.remove(at: index)
    model.stopMonitoring([identifier], of: owner)
  }

  func tellState(of identifier: String) {
    guard let watch = model.watch(identifier, of: owner) else { return }
    emit("RegionState", [.string(identifier), watch.stateRecord(model).dbusValue])
  }

  /// How things stand now.
  func state(of identifier: String) throws(DBusError) -> Record {
    guard let watch = model.watch(identifier, of: owner) else { throw .notMonitoring(identifier) }
    return watch.stateRecord(model)
  }
}

extension DBusError {
  fileprivate static func notMonitoring(_ identifier: String) -> DBusError {
    .monitor("NotMonitoring", "this session does not monitor \"\(identifier)\"; MonitoredRegions tells what it monitors")
  }
}
