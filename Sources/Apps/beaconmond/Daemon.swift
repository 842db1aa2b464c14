import Authorization
import BlueZ
import Calendars
import Captures
import ClientSessions
import ConsentService
import DBus
import Departures
import EventLoop
import Failures
import Geocoding
import Glibc
import Guidance
import HeadingSources
import Journal
import LearnedState
import Logging
import MetricsService
import MonitorConfiguration
import MonitorProtocol
import MonitorService
import Monitoring
import Orientation
import Positioning
import ProgramSupport
import SQLite
import VenueEditing
import VisitStatistics

/// Connects the parts of the daemon: sources, services, and its name on the bus.
final class Daemon {
  let settings: Settings
  let service: ServiceProgram
  let consent: ConsentService
  let positioning: PositioningService
  let indoor: IndoorSource
  let orientation: HeadingService
  let sensors: MachineSensors
  let guidance: GuidanceService
  let visits: VisitStatistics
  let monitoring: MonitoringService
  let source: any RecordableSource
  let departures: DepartureService
  let appointments: AppointmentPlan
  let recorder: Recorder
  let ownBeacons: OwnBeacons
  let sessions: SessionService
  let bus: MonitorService
  let metrics: MetricsService
  var name: OwnedName?
  let venues: ConfiguredVenues
  let venueEditor: VenueEditor
  let state: DaemonState
  let geocoding: ConfiguredGeocoding
  var isStarted = false

  init(_ settings: Settings) throws(Failure) {
    let read = try settings.completed(settings.configFile.read())
    let store = StoredVenues(try settings.files(read).venues)
    venues = ConfiguredVenues(read, store)
    let document = venues.completed(read)
    let configuration = document.configuration
    self.settings = settings
    service = try ServiceProgram("beaconmond", bus: settings.bus, configFile: settings.configFile, read)
    let (loop, log) = (service.loop, service.log)
    source = try settings.source(document, loop, log: log)
    let played = source as? CaptureSource
    let locating = LocationPlan(configuration, playing: played.map { $0.located == nil ? .beacons : .locations })
    venueEditor = VenueEditor(loop, store, venues, log: log)
    recorder = Recorder(loop, source)
    ownBeacons = OwnBeacons(loop, namesSystemctl: !settings.isSession, log: log)
    let settingsInForce = SettingsInForce(configuration, hasOwnSpeed: settings.hasOwnSpeed, locating)
    state = DaemonState(document, settingsInForce, service, ownBeacons)
    let files = try settings.files(document)
    let journal = settings.journal(configuration, files)
    let consentFile = Self.open(files.consent)
    consent = ConsentService(
      loop, consentFile, UserDirectory(), Polkit(service.connection), ownUser: geteuid(), rules: configuration.consentRules,
      log: log)
    sensors = MachineSensors(accelerationSign: configuration.heading.accelerationSign)
    (positioning, indoor) = Self.positioning(locating, configuration, source, service, sensors)
    let learned = files.learned.map { LearnedStore(path: $0, log: log) }
    orientation = HeadingService(
      loop, Self.headingSources(configuration, positioning, service, settings, sensors), positioning, learned, log: log)
    orientation.orientation = configuration.heading.orientation
    let alarm: () -> any DepartureAlarm = {
      guard let played else { return RealTimeAlarm(loop) }
      let alarm = ScheduledAlarm(loop, played.clock)
      played.clock.observers.append { [weak alarm] in alarm?.clockChanged() }
      return alarm
    }
    departures = DepartureService(alarm(), positioning, learned, log: log)
    let refresh = alarm()
    appointments = AppointmentPlan(departures, refresh, log: log) { CalendarFile(loop, path: $0) { refresh.now } }
    guidance = GuidanceService(loop, positioning, orientation, configuration.monitoring.catalogue, log: log)
    monitoring = MonitoringService(
      loop, source, configuration.monitoring, journal: journal.open(loop, log: log), consent: consent,
      registrations: Registrations(consentFile, log: log), positioning: positioning, indoor: indoor, decoder: RegionDefinitions(),
      learnedFile: learned, openJournal: { journal.ofUser($0).open(loop, log: log) }, log: log)
    geocoding = Self.geocoding(service, files)
    visits = VisitStatistics(
      loop, monitoring.journal, VisitStore(path: files.visits, log: log), .local, log: log)
    sessions = SessionService(consent, monitoring, positioning, orientation, guidance, departures)
    do throws(DBusError) {
      bus = try MonitorService(
        service.connection, monitoring: monitoring, positioning: positioning, orientation: orientation,
        departures: departures, sessions: sessions, authority: consent, visits: visits, venueEditor: venueEditor, status: state,
        recorder: recorder, log: log)
    } catch {
      throw Failure(.osError, "\(error)")
    }
    metrics = MetricsService(loop, log: log) { [service, bus] in Self.collect(service, bus) }
    connect()
    lookUpAddresses(configuration)
  }

  /// Runs the daemon until it is stopped.
  func run() throws(Failure) -> ExitStatus {
    warn()
    metrics.listen(at: state.document.configuration.metrics)
    try service.run { [unowned self] in
      name = service.connection.requestName(MonitorNames.bus) { [unowned self] in nameChanged($0) }
    } onReload: { [unowned self] document throws(Failure) in
      try apply(settings.reloaded(document))
    }
    metrics.listen(at: nil)
    departures.end()
    orientation.end()
    visits.end()
    monitoring.end()
    geocoding.end()
    consent.writeUsage()
    return .ok
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
    bus.capabilitiesChanged()
    monitoring.start()
    ownBeacons.send(state.document.configuration.transmissions)
    appointments.follow(state.document.configuration.appointmentPlan)
  }
}
