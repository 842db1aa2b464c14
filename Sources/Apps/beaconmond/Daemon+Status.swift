import Beacons
import BlueZ
import Logging
import Metrics
import MonitorConfiguration
import MonitorService
import Monitoring
import ProgramSupport
import ProgramVersion
import Status

extension Daemon {
  var health: HealthReport? {
    bus.map { service.withConnection(HealthReport($0.healthStatus, isClockSynchronised: source.isClockSynchronised)) }
  }

  func collect() -> (metrics: MetricSet, health: HealthReport) {
    var metrics = MetricSet()
    metrics.add(service.figures)
    guard let bus else { return (metrics, HealthReport()) }
    let (status, figures) = (bus.metricsStatus, bus.figures)
    let health = service.withConnection(HealthReport(status, isClockSynchronised: figures.isClockSynchronised))
    metrics.add(health)
    metrics.add(status, figures)
    return (metrics, health)
  }
}

extension Daemon: DaemonStatus {
  var version: String { ProgramVersion.current }
  var refusedReload: MonitorStatus.RefusedReload? {
    service.refusedReload.map { MonitorStatus.RefusedReload(time: $0.time, reason: $0.reason) }
  }
  var configuration: MonitorStatus.Configuration {
    let loaded = service.configuration
    let digest = String(loaded.digest, radix: 16)
    return MonitorStatus.Configuration(
      files: loaded.files, time: loaded.time, digest: digest, needsRestart: activeSettings.needsRestart, note: loaded.note,
      rollout: loaded.rollout, rolloutNote: loaded.rolloutNote)
  }
  var advertisements: [AdvertisedBeacon] { ownBeacons.advertised }
  func reload() -> MonitorStatus.RefusedReload? {
    service.reload()
    return refusedReload
  }
  var required: [RequiredCapability] { document.configuration.required }

  func missingCapabilitiesChanged(_ missing: [MissingCapability]) {
    for capability in missing { service.log.warning("\(document.title): requires \(capability.text)") }
    if missing.isEmpty { service.log.notice("\(document.title): the required capabilities are available") }
  }
}
