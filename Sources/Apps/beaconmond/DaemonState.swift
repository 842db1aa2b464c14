import Beacons
import BlueZ
import Logging
import MonitorConfiguration
import MonitorService
import ProgramSupport
import ProgramVersion
import Reloading
import Status

/// The config in use, and the facts about the program that the bus shows.
final class DaemonState: DaemonStatus {
  /// The config as it was read last, with the venues that clients have saved.
  var document: ConfigurationDocument
  var activeSettings: SettingsInForce
  private let service: ServiceProgram
  private let ownBeacons: OwnBeacons

  init(_ document: ConfigurationDocument, _ activeSettings: SettingsInForce, _ service: ServiceProgram, _ ownBeacons: OwnBeacons) {
    (self.document, self.activeSettings) = (document, activeSettings)
    (self.service, self.ownBeacons) = (service, ownBeacons)
  }

  var version: String { ProgramVersion.current }
  var refusedReload: MonitorStatus.RefusedReload? {
    service.reloads.refusedReload.map { MonitorStatus.RefusedReload(time: $0.time, reason: $0.reason) }
  }
  var configuration: MonitorStatus.Configuration {
    let loaded = service.reloads.configuration
    let digest = String(loaded.digest, radix: 16)
    return MonitorStatus.Configuration(
      files: loaded.files, time: loaded.time, digest: digest, needsRestart: activeSettings.needsRestart, note: loaded.note,
      rollout: loaded.rollout, rolloutNote: loaded.rolloutNote)
  }
  var advertisements: [AdvertisedBeacon] { ownBeacons.advertised }
  func reload() -> MonitorStatus.RefusedReload? {
    service.reloads.reload()
    return refusedReload
  }
  var required: [RequiredCapability] { document.configuration.required }

  func missingCapabilitiesChanged(_ missing: [MissingCapability]) {
    for capability in missing { service.log.warning("\(document.title): requires \(capability.text)") }
    if missing.isEmpty { service.log.notice("\(document.title): the required capabilities are available") }
  }
}
