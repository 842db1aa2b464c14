import Consent
import DBus
import Regions

/// What one client asked for, and what the daemon does for it.
final class Session {
  let path: String
  let claim: ConsentClient
  /// What its client knows it may.
  var toldAuthorization: Authorization
  private(set) var constraints: [BeaconConstraint] = []
  private(set) var isScanning = false
  private unowned let model: any MonitorModel
  private unowned let authority: any ConsentAuthority
  private var object: ExportedObject?
  private var ticket: ConsentTicket?

  init(_ path: String, _ claim: ConsentClient, model: any MonitorModel, _ authority: any ConsentAuthority) {
    self.path = path
    self.claim = claim
    self.model = model
    self.authority = authority
    toldAuthorization = authority.verdict(for: claim.person).authorization
  }

  /// The unique name of the connection that it belongs to.
  var client: String { claim.busName }

  /// Its client is told something from now on.
  func beginUse() {
    toldAuthorization = authority.verdict(for: claim.person).authorization
    if ticket == nil { ticket = authority.begin(claim) }
  }

  func export(on tree: ObjectTree, _ interface: DBusInterface) throws(DBusError) {
    object = try tree.export(path, [interface], for: .only(client))
  }

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

  /// Nobody asks for anything any more.
  func end() {
    for constraint in constraints { model.stopRanging(constraint) }
    constraints = []
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
