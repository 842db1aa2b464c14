import ConsentService
import Consent
import ClientSessions
import ConfigurationTree
import DBus
import Events
import MonitorProtocol
import Monitoring
import Proximity
import Records
import Regions

// MARK: Monitoring

extension Sessions {
  /// Starts monitoring a region; its state follows right after the answer, and then its changes.
  func startMonitoring(_ options: DBusValue, in object: SessionObject) throws(DBusError) -> Answer {
    let session = object.session
    if let identifier = RegionDefinition.onlyIdentifier(options) {
      try refusing(try service.startMonitoring(configured: identifier, in: session))
      return Answer { [self] in object.reportState(of: identifier, configuredState(of: identifier)) }
    }
    let definition = try RegionDefinition.nodes(options)
    let region = try refusing(try service.region(definition, in: session))
    try refusing(try service.startMonitoring(region, in: session))
    return Answer { [self] in object.reportState(of: region.identifier, monitoring.watch(region.identifier, of: session.owner), monitoring)
    }
  }

  private func configuredState(of identifier: String) -> RegionReport {
    monitoring.watch(identifier, of: .config)?.report(monitoring)
      ?? RegionReport(.unknown, note: "this region is no longer in beaconmon.toml")
  }

  /// Sends the present state of configured regions that were removed or added to the sessions that monitor them.
  func configuredRegionsChanged(_ identifiers: Set<String>) {
    for object in objects.values {
      for identifier in object.session.configuredRegions.intersection(identifiers).sorted() {
        object.reportState(of: identifier, configuredState(of: identifier))
      }
    }
  }

  /// Sends an event of a configured region to the sessions that monitor it.
  func sendConfigured(_ event: RegionEvent, details: Event) throws(DBusError) {
    let identifier = event.transition.region.identifier
    let monitoring = objects.values.filter { $0.session.configuredRegions.contains(identifier) }
    guard !monitoring.isEmpty else { return }
    let signal = try signal(of: event, details)
    for object in monitoring { try send(signal, to: object) }
  }

  /// Returns the present state of a region of the session or its app; throws `NotMonitoring` for any other.
  func state(of identifier: String, in object: SessionObject) throws(DBusError) -> RegionReport {
    let session = object.session
    if session.configuredRegions.contains(identifier) { return configuredState(of: identifier) }
    if let watch = monitoring.watch(identifier, of: session.owner) { return watch.report(monitoring) }
    guard let app = session.claim.app,
      monitoring.registeredIdentifiers(of: app, user: session.user.id).contains(identifier)
    else {
      throw SessionRefusal.notMonitoring(identifier).dbusError
    }
    if let watch = monitoring.watch(identifier, of: app, user: session.user.id) { return watch.report(monitoring) }
    return RegionReport(.unknown, note: "idle: \(service.verdict(of: session).reason)")
  }

  /// Sends an event to the session that owns the region, if it still exists.
  func send(_ event: RegionEvent, details: Event) throws(DBusError) {
    guard let object = objects[event.transition.region.owner] else { return }
    try send(signal(of: event, details), to: object)
  }

  private func signal(of event: RegionEvent, _ details: Event) throws(DBusError) -> PreparedSignal {
    let transition = event.transition
    return try PreparedSignal(
      interface: MonitorNames.session, member: "RegionEvent",
      [.uint64(event.sequence), .string(transition.kind.rawValue), .string(transition.region.identifier), details.dbusValue])
  }
}

extension SessionObject {
  /// Sends the client the region's present state; does nothing without a watch.
  func reportState(of identifier: String, _ watch: RegionWatch?, _ monitoring: MonitoringService) {
    if let watch { reportState(of: identifier, watch.report(monitoring)) }
  }

  func reportState(of identifier: String, _ report: RegionReport) {
    emit("RegionState", [.string(identifier), report.record.dbusValue])
  }
}
