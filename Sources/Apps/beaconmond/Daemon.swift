import Authorization
import ConsentService
import DBus
import Failures
import Glibc
import LocationSources
import Locations
import Logging
import MonitorProtocol
import MonitorService
import MonitorConfiguration
import Positioning
import ProgramSupport
import SQLite

/// Connects the parts of the daemon: a monitor, and its name on the bus.
final class Daemon {
  private let service: ServiceProgram
  private let monitor: Monitor
  private let settings: Settings
  private let started: Configuration
  /// The config as it was read last, for its warnings.
  private var document: ConfigurationDocument
  private var located: LocationSettings
  private var name: OwnedName?

  init(_ settings: Settings) throws(Failure) {
    document = settings.completed(try settings.configFile.read())
    let configuration = document.configuration
    self.settings = settings
    started = configuration
    located = configuration.location
    service = try ServiceProgram("beaconmond", bus: settings.bus, configFile: settings.configFile)
    let source = try settings.source(configuration, service.loop, log: service.log)
    let journalFile = try settings.journal(configuration)
    let journal = JournalKeeper(service.loop, journalFile, log: service.log)
    let consentFile = Self.open(try settings.consentFile(configuration))
    let consent = ConsentService(
      service.loop, consentFile, UserDirectory(), Polkit(service.connection), ownUser: geteuid(), rules: configuration.consentRules,
      log: service.log)
    let locations = Self.locations(configuration, source, service)
    let registrations = Registrations(service.loop, consentFile, beside: journalFile, log: service.log)
    monitor = try Monitor(source, configuration, journal, consent, registrations, locations, service.connection, log: service.log)
    monitor.ownBeacons.namesSystemctl = !settings.isSession
  }

  /// Opens the file of decisions, or returns nil if there is no memory for it.
  private static func open(_ path: String?) -> ConsentStore? {
    do throws(DatabaseError) { return try ConsentStore(path: path) } catch { return nil }
  }

  /// Runs the daemon until it is stopped.
  func run() throws(Failure) -> ExitStatus {
    monitor.onFailure = { [service] in service.end($0) }
    warn()
    service.onRefusedReloadChange = { [unowned self] in monitor.refusedReload = service.refusedReload }
    try service.run {
      [unowned self] in
      name = service.connection.requestName(MonitorNames.bus) { [unowned self] in nameChanged($0) }
    } onReload: { [unowned self] read in
      document = settings.completed(read)
      let configuration = document.configuration
      monitor.reconfigure(configuration)
      warn()
      if located != configuration.location, located.capture == nil, configuration.location.capture == nil {
        located = configuration.location
        monitor.positioning.replaceSources(located.sources(service.loop))
        if located.fixed == nil { monitor.forgetFixedPlace() }
      }
      monitor.keeper.retry()
      monitor.registrations.retry()
      if !settings.playsTheSame(started, configuration) {
        service.log.warning("\(settings.configFile.path): source, capture-speed and [location.capture] take effect at the next start")
      }
      if started.journal != configuration.journal {
        service.log.warning("\(settings.configFile.path): [journal] takes effect at the next start")
      }
      let count = configuration.regions.count
      return "\(count) region\(count == 1 ? "" : "s")"
    }
    monitor.end()
    return .ok
  }

  /// Logs the parts of a valid config that have no effect.
  private func warn() {
    for warning in document.warnings { service.log.warning("\(warning)") }
  }

  /// Returns the locations of a played recording if it has any, or else of the configured sources.
  private static func locations(_ configuration: Configuration, _ source: any SightingSource, _ service: ServiceProgram)
    -> PositioningService
  {
    if let played = source as? CaptureSource, let locations = played.locations {
      var others = configuration.location
      others.capture = nil
      if others != LocationSettings() {
        service.log.notice("\(source.name) says where this device is; the sources of [location] are not asked")
      }
      return PositioningService(service.loop, [locations], played.clock, nil, log: service.log)
    }
    return PositioningService(
      service.loop, configuration.location.sources(service.loop), BootTimeClock(service.loop), Accelerometer(service.loop), log: service.log
    )
  }

  private func nameChanged(_ state: OwnedName.State) {
    switch state {
    case .owned:
      monitor.start()
      service.ready(monitor.hearsBeacons ? "Monitoring \(monitor.source)" : "Monitoring where this device is, and no beacons")
    case .taken(let owner):
      let holder = owner.map { ", \($0)" } ?? ""
      service.end(
        Failure(.temporaryFailure, "\(MonitorNames.bus) is owned by another process\(holder); stop that beaconmond first, or use --bus"))
    case .refused(let error):
      service.end(
        Failure(
          .noPermission,
          "\(MonitorNames.bus): \(error.message); the user beaconmon may: run \"systemd-sysusers\" and \"systemctl reload dbus\" after the install,"
            + " or use --session"))
    case .lost:
      service.log.warning("\(MonitorNames.bus) was lost with the bus")
    }
  }
}
