import Authorization
import BeaconAdvertising
import Beacons
import BlueZ
import Captures
import ConsentService
import DBus
import Departures
import EventLoop
import Events
import Failures
import Geocoding
import Glibc
import Guidance
import HeadingSources
import Instants
import Journal
import LearnedState
import LocationSources
import Locations
import Logging
import Metrics
import MonitorConfiguration
import MonitorProtocol
import MonitorService
import Monitoring
import Nominatim
import Orientation
import Positioning
import ProgramSupport
import SQLite
import Status
import Venues
import VisitStatistics
import Visits

/// Connects the parts of the daemon: sources, services, and its name on the bus.
final class Daemon {
  private let settings: Settings
  private let service: ServiceProgram
  private let consent: ConsentService
  private let positioning: PositioningService
  private let indoor: IndoorSource
  private let orientation: HeadingService
  private let sensors: MachineSensors
  private let guidance: GuidanceService
  private let visits: VisitStatistics
  private let monitoring: MonitoringService
  private let source: any RecordableSource
  private let appointments: AppointmentPlan
  private let recorder: Recorder
  private let ownBeacons: OwnBeacons
  private var bus: MonitorService?
  private var metrics: MetricsExporter?
  private var name: OwnedName?
  private let started: Configuration
  /// The config as it was read last.
  private var document: ConfigurationDocument
  private var located: LocationSettings
  private var oriented: HeadingSettings
  private var geocoded: GeocodingSettings?
  /// Whether the indoor position is among the location sources.
  private var hasVenues: Bool
  private var isStarted = false

  init(_ settings: Settings) throws(Failure) {
    let read = try settings.configFile.read()
    document = settings.completed(read)
    let configuration = document.configuration
    self.settings = settings
    started = configuration
    located = configuration.location
    oriented = configuration.heading
    hasVenues = configuration.hasIndoorPosition
    service = try ServiceProgram("beaconmond", bus: settings.bus, configFile: settings.configFile, read)
    let (loop, log) = (service.loop, service.log)
    source = try settings.source(configuration, loop, log: log)
    recorder = Recorder(loop, source)
    ownBeacons = OwnBeacons(loop, namesSystemctl: !settings.isSession, log: log)
    let journal = try settings.journal(configuration)
    let consentFile = Self.open(try settings.consentFile(configuration))
    consent = ConsentService(
      loop, consentFile, UserDirectory(), Polkit(service.connection), ownUser: geteuid(), rules: configuration.consentRules,
      log: log)
    sensors = MachineSensors(accelerationSign: configuration.heading.accelerationSign)
    (positioning, indoor) = Self.positioning(configuration, source, service, sensors)
    let learned = try settings.learnedFile(configuration).map { LearnedStore(path: $0, log: log) }
    orientation = HeadingService(
      loop, Self.headingSources(configuration, positioning, service, settings, sensors), positioning, learned, log: log)
    orientation.orientation = configuration.heading.orientation
    let alarm: () -> any DepartureAlarm = { [source] in
      guard let played = source as? CaptureSource else { return RealTimeAlarm(loop) }
      let alarm = ScheduledAlarm(loop, played.clock)
      played.clock.observers.append { [weak alarm] in alarm?.clockChanged() }
      return alarm
    }
    appointments = AppointmentPlan(loop, alarm, positioning, learned, log: log)
    guidance = GuidanceService(loop, positioning, orientation, configuration.monitoring.catalogue, log: log)
    monitoring = MonitoringService(
      loop, source, configuration.monitoring, journal.open(loop, log: log), consent, Registrations(consentFile, log: log), positioning,
      indoor,
      RegionDefinitions(), learnedFile: learned,
      openJournal: { journal.ofUser($0).open(loop, log: log) }, log: log)
    visits = VisitStatistics(
      loop, monitoring.journal, VisitStore(path: try settings.visitFile(configuration), log: log), .local, log: log)
    do throws(DBusError) {
      bus = try MonitorService(
        service.connection, monitoring, positioning, orientation, guidance, consent, visits, self, recorder, log: log)
    } catch {
      throw Failure(.osError, "\(error)")
    }
    connect()
    metrics = MetricsExporter(loop, log: log) { [unowned self] in collect() }
    service.onCheck = { [unowned self] in metrics?.check() }
    geocode(configuration)
  }

  /// Runs the daemon until it is stopped.
  func run() throws(Failure) -> ExitStatus {
    warn()
    metrics?.listen(at: document.configuration.metrics)
    try service.run { [unowned self] in
      name = service.connection.requestName(MonitorNames.bus) { [unowned self] in nameChanged($0) }
    } onReload: { [unowned self] in
      reload($0)
    }
    metrics?.listen(at: nil)
    appointments.service.end()
    orientation.end()
    visits.end()
    monitoring.end()
    monitoring.geocoding?.end()
    consent.writeUsage()
    return .ok
  }
}

// MARK: Assembly

extension Daemon {
  private func connect() {
    monitoring.bus = bus
    monitoring.onFailure = { [service] in service.end($0) }
    positioning.onOutput = { [unowned self] in
      if !monitoring.take($0), !orientation.take($0), !guidance.take($0), !appointments.service.take($0) { bus?.publish($0) }
    }
    bus?.departures = appointments.service
    appointments.service.onAdvice = { [unowned self] in publish($0) }
    monitoring.lackOfCompass = { [unowned orientation] in orientation.obstacle }
    orientation.onHeading = { [unowned positioning] in positioning.take(heading: $0, accuracy: $1, at: $2) }
    orientation.onOutput = { [unowned self] in if !guidance.take($0) { bus?.publish($0) } }
    guidance.onOutput = { [unowned self] in bus?.publish($0) }
    orientation.onAvailabilityChange = { [unowned self] in bus?.headingAvailabilityChanged() }
    positioning.onSourcesChange = { [unowned self] in
      guidance.sourcesChanged()
      bus?.locationSourcesChanged()
    }
    positioning.onHealthChange = { [unowned self] in bus?.locationHealthChanged() }
    ownBeacons.onChange = { [unowned self] in bus?.advertisementsChanged() }
    ownBeacons.onScanInTheWay = { [unowned self] in source.yield(adapter: $0) }
    monitoring.onMotion = { [unowned self] in recorder.take($0, at: $1) }
    recorder.onChange = { [unowned self] in monitoring.isRecording = !recorder.isIdle }
    service.health = { [unowned self] in health }
    service.onRefusedReloadChange = { [unowned self] in bus?.refusedReloadChanged() }
    service.onConfigurationChange = { [unowned self] in bus?.configurationChanged() }
  }

  /// Stores and sends advice of the device, and sends that of a session to it alone.
  private func publish(_ advice: DepartureAdvice) {
    let service = appointments.service
    var event = advice.event(place: service.placeName(of: advice.appointment.id), languages: document.configuration.languages)
    switch advice.owner {
    case .device: monitoring.publish(event)
    case .session(let number):
      event.isDurable = false
      bus?.publish(event, of: number, identifier: advice.appointment.id.text)
    }
  }

  /// Opens the file of decisions, or returns nil if there is no memory for it.
  private static func open(_ path: String?) -> ConsentStore? {
    do throws(DatabaseError) { return try ConsentStore(path: path) } catch { return nil }
  }

  /// Looks up addresses as the config says from now on. Without a server, nothing is kept of addresses.
  private func geocode(_ configuration: Configuration) {
    monitoring.geocoding?.end()
    // The server has demanded its pause for this device, not for this language.
    let pacer = geocoded?.url == configuration.geocoding?.url ? monitoring.geocoding?.pacer : nil
    geocoded = configuration.geocoding
    let path = settings.addressFile(started)
    guard let geocoding = configuration.geocoding else {
      monitoring.geocoding = nil
      if let path { AddressStore.remove(path) }
      return
    }
    let server = NominatimServer(service.loop, url: geocoding.url, userAgent: Self.userAgent)
    let file = path.map { AddressStore(path: $0, log: service.log) }
    monitoring.geocoding = GeocodingService(service.loop, server, file, language: geocoding.language, pacer: pacer, log: service.log)
  }

  /// Identifies this program to servers, with a page that says what it is.
  private static let userAgent = "beaconmond/\(Program.version) (Beacon and region monitor for Linux)"

  /// Returns the locations of a played recording if it has any, or else of the configured sources.
  private static func positioning(
    _ configuration: Configuration, _ source: any RecordableSource, _ service: ServiceProgram, _ shared: MachineSensors
  ) -> (PositioningService, IndoorSource) {
    if let played = source as? CaptureSource, let located = played.located {
      let locations = PlayedSource(service.loop, located.source, playing: located.recording) { [unowned played] in played.lines }
      played.locations = locations
      var others = configuration.location
      others.capture = nil
      if others != LocationSettings() {
        service.log.notice("\(source.name) provides the location of this device; the sources of [location] are not used")
      }
      let indoor = IndoorSource(played.clock)
      let sources: [any LocationSource] = configuration.hasIndoorPosition ? [locations, indoor] : [locations]
      return (PositioningService(service.loop, sources, played.clock, nil, log: service.log), indoor)
    }
    let clock = BootTimeClock(service.loop)
    let indoor = IndoorSource(clock)
    let sources = configuration.location.sources(service.loop) + (configuration.hasIndoorPosition ? [indoor] : [])
    // The motion of this machine is unrelated to what it plays.
    let sensors = source is CaptureSource ? nil : IIOMotionSensors.ofMachine(service.loop, shared)
    return (PositioningService(service.loop, sources, clock, sensors, log: service.log), indoor)
  }
}

extension Daemon {
  private static func headingSources(
    _ configuration: Configuration, _ positioning: PositioningService, _ service: ServiceProgram, _ settings: Settings,
    _ shared: MachineSensors
  ) -> [any HeadingSource] {
    configuration.heading.sources(
      service.loop, positioning, shared,
      systemBus: {
        // A second connection costs memory, so the daemon of a session has one only if the config asks for it.
        if case .system = settings.bus { return service.connection }
        guard configuration.heading.source == .sensorProxy else { return nil }
        do throws(DBusError) {
          return try DBusConnection(loop: service.loop, address: .system)
        } catch {
          service.log.warning("iio-sensor-proxy: \(error.message)")
          return nil
        }
      }, speed: settings.speed(configuration))
  }
}

extension Recorder: RecordingStarter {}
extension PlayedSource: PlayedLocations {}

extension Configuration {
  /// Whether the position in venues is a location source. A receiver that never moves has a configured location instead.
  fileprivate var hasIndoorPosition: Bool { !venues.isEmpty && receiver == nil }

  fileprivate var monitoring: MonitoringSettings {
    MonitoringSettings(
      regions: regions, adapters: adapters, ranging: ranging, catalogue: Catalogue(venues, circles: places), receiver: receiver,
      languages: languages)
  }
}

// MARK: Life cycle

extension Daemon {
  private func nameChanged(_ state: OwnedName.State) {
    switch state {
    case .owned:
      start()
      service.ready(
        source.hearsBeacons ? "Monitoring \(source.name)" : "Monitoring the location of this device, without beacons")
    case .taken(let owner):
      let holder = owner.map { ", \($0)" } ?? ""
      service.end(
        Failure(.temporaryFailure, "\(MonitorNames.bus) is owned by another process\(holder); stop that beaconmond first, or use --bus"))
    case .refused(let error):
      service.end(
        Failure(
          .noPermission,
          "\(MonitorNames.bus): \(error.message); only the user beaconmon may own this name: run \"systemd-sysusers\" and \"systemctl reload dbus\" after the installation,"
            + " or use --session"))
    case .lost:
      service.log.warning("\(MonitorNames.bus) lost because the bus stopped; requesting it again when the bus starts")
    }
  }

  /// Starts the sources when the name is owned for the first time.
  private func start() {
    guard !isStarted else { return }
    isStarted = true
    bus?.capabilitiesChanged()
    monitoring.start()
    ownBeacons.send(document.configuration.transmissions)
    appointments.follow(document.configuration)
  }

  private var playsLocations: Bool { (source as? CaptureSource)?.located != nil }

  /// Applies a changed config, and returns its summary.
  private func reload(_ read: ConfigurationDocument) -> String {
    document = settings.completed(read)
    let configuration = document.configuration
    consent.replaceRules(with: configuration.consentRules)
    monitoring.reconfigure(configuration.monitoring)
    guidance.replaceCatalogue(with: configuration.monitoring.catalogue)
    if isStarted {
      ownBeacons.send(configuration.transmissions)
      appointments.follow(configuration)
    }
    warn()
    metrics?.listen(at: configuration.metrics)
    // The locations of a played source stay, because they belong to its beacons.
    let hasOtherSources = located != configuration.location || hasVenues != configuration.hasIndoorPosition
    if hasOtherSources, !playsLocations, configuration.location.capture == nil {
      located = configuration.location
      hasVenues = configuration.hasIndoorPosition
      positioning.replaceSources(located.sources(service.loop) + (hasVenues ? [indoor] : []))
      if located.fixed == nil { monitoring.forgetFixedPlace() }
    }
    if oriented != configuration.heading {
      var mounted = oriented
      mounted.mountAngle = configuration.heading.mountAngle
      let isOther = mounted != configuration.heading
      oriented = configuration.heading
      sensors.accelerationSign = oriented.accelerationSign
      orientation.orientation = oriented.orientation
      if isOther { orientation.replaceSources(Self.headingSources(configuration, positioning, service, settings, sensors)) }
    }
    if geocoded != configuration.geocoding { geocode(configuration) }
    monitoring.retryJournals()
    bus?.capabilitiesChanged()
    if playsAnother {
      service.log.warning(
        "\(document.title): changes to source, capture-speed and [location.capture] require a restart"
      )
    }
    if hasAnotherJournal {
      service.log.warning("\(document.title): changes to [journal] require a restart")
    }
    let count = configuration.regions.count
    return "\(count) region\(count == 1 ? "" : "s")"
  }

  // Changes that require a restart.
  private var playsAnother: Bool { !settings.playsTheSame(started, document.configuration) }
  private var hasAnotherJournal: Bool { started.journal != document.configuration.journal }

  /// Logs the parts of a valid config that have no effect.
  private func warn() {
    for warning in document.warnings { service.log.warning("\(warning)") }
  }
}

// MARK: Metrics and health

extension Daemon {
  private var health: HealthReport? {
    bus.map { service.withConnection(HealthReport($0.healthStatus, isClockSynchronised: source.isClockSynchronised)) }
  }

  private func collect() -> (metrics: MetricSet, health: HealthReport) {
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

// MARK: Facts for the bus

extension Daemon: DaemonStatus {
  var version: String { Program.version }
  var refusedReload: MonitorStatus.RefusedReload? {
    service.refusedReload.map { MonitorStatus.RefusedReload(time: $0.time, reason: $0.reason) }
  }
  var configuration: MonitorStatus.Configuration {
    let loaded = service.configuration
    let digest = String(loaded.digest, radix: 16)
    return MonitorStatus.Configuration(
      files: loaded.files, time: loaded.time, digest: digest, needsRestart: playsAnother || hasAnotherJournal, note: loaded.note)
  }
  var advertisements: [AdvertisedBeacon] { ownBeacons.advertised }
  var required: [RequiredCapability] { document.configuration.required }

  func missingCapabilitiesChanged(_ missing: [MissingCapability]) {
    for capability in missing { service.log.warning("\(document.title): requires \(capability.text)") }
    if missing.isEmpty { service.log.notice("\(document.title): the required capabilities are available") }
  }
}
