import DBus
import Records
import Regions

/// What one client asked for, and what the daemon does for it.
final class Session {
  let path: String
  unowned let client: SessionClient
  let user: SessionUser
  /// Of its regions.
  let owner: RegionOwner
  private(set) var constraints: [BeaconConstraint] = []
  /// The identifiers of its regions, in the order in which they came.
  private(set) var regions: [String] = []
  private(set) var isScanning = false
  private unowned let model: any MonitorModel
  private var object: ExportedObject?
  private var hasMonitored = false

  init(_ number: UInt32, _ client: SessionClient, _ user: SessionUser, model: any MonitorModel) {
    path = MonitorNames.path(ofSession: number)
    owner = .session(number)
    self.client = client
    self.user = user
    self.model = model
    user.sessions += 1
  }

  func export(on tree: ObjectTree, _ interface: DBusInterface) throws(DBusError) {
    object = try tree.export(path, [interface], owner: client.name)
  }

  /// Nobody asks for anything any more.
  func end() {
    for constraint in constraints { model.stopRanging(constraint) }
    if !regions.isEmpty { model.stopMonitoring(regions, of: owner) }
    user.sessions -= 1
    user.constraints -= constraints.count
    user.regions -= regions.count
    (constraints, regions) = ([], [])
    if hasMonitored { model.forget(owner) }
    setScanning(false)
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
      try SessionLimits.admitRegion(self)
      regions.append(region.identifier)
      user.regions += 1
    }
    hasMonitored = true
    model.startMonitoring(region)
  }

  func stopMonitoring(_ identifier: String) throws(DBusError) {
    guard let index = regions.firstIndex(of: identifier) else { throw .notMonitoring(identifier) }
    regions.remove(at: index)
    user.regions -= 1
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

  func regionsChanged() {
    object?.propertiesChanged(MonitorNames.session, ["MonitoredRegions"])
  }
}

extension DBusError {
  fileprivate static func notMonitoring(_ identifier: String) -> DBusError {
    .monitor("NotMonitoring", "this session does not monitor \"\(identifier)\"; MonitoredRegions tells what it monitors")
  }
}
