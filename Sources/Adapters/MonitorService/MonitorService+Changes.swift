import Beacons
import ClientSessions
import DBus
import MonitorProtocol
import Monitoring

// MARK: Changes that clients learn

extension MonitorService {
  /// Call when a source of headings may have appeared or vanished.
  public func headingAvailabilityChanged() {
    sessions.service.sourcesChanged()
    capabilitiesChanged()
  }

  /// Call when the configured location sources have changed.
  public func locationSourcesChanged() {
    sessions.service.sourcesChanged()
    capabilitiesChanged()
  }

  /// Call when a location source's health has changed.
  public func locationHealthChanged() {
    sessions.service.locations.reportDenied()
    capabilitiesChanged()
  }

  /// Call when hardware may have come or gone, such as an adapter or a magnetometer.
  public func capabilitiesChanged() {
    sessions.service.missingCapabilitiesChanged()
    let missing = monitoring.missing(of: status.required)
    guard missing.map(\.capability) != reportedMissing.map(\.capability) else { return }
    reportedMissing = missing
    status.missingCapabilitiesChanged(missing)
    manager?.propertiesChanged(MonitorNames.manager, ["MissingCapabilities"])
  }

  /// Call when the source's state, reason or note may have changed; only changed properties are announced.
  public func sourceChanged() {
    let now = SourceFacts(monitoring)
    let names = now.changes(from: source)
    source = now
    if !names.isEmpty { manager?.propertiesChanged(MonitorNames.manager, names) }
    capabilitiesChanged()
  }

  /// Call when another journal is in use, or when its durability has changed.
  public func journalChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["Journal", "Durable", "JournalNote", "DamagedEvents"])
  }

  /// Call when a reload was refused, or when one has succeeded after a refusal.
  public func refusedReloadChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["RefusedReload"])
  }

  /// Call when another configuration is in use.
  public func configurationChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["Configuration"])
  }

  /// Call when a decision has changed, or when location services were switched on or off.
  public func consentChanged() {
    sessions.service.consentChanged()
    manager?.propertiesChanged(MonitorNames.privacy, ["LocationServicesEnabled", "ConsentNote"])
  }

  /// Call when the machine's own beacons, or their states, have changed.
  public func advertisementsChanged() {
    manager?.propertiesChanged(MonitorNames.manager, ["Advertisements"])
  }
}
