import Addresses
import Authorization
import BlueZ
import Captures
import ClientSessions
import DBus
import Departures
import EventLoop
import Geocoding
import Guidance
import HeadingSources
import LocationArbitration
import LocationSources
import Logging
import MetricsService
import MonitorConfiguration
import MonitorService
import Monitoring
import Nominatim
import Orientation
import Positioning
import ProgramSupport
import ProgramVersion
import Reloading
import SQLite

extension Daemon {
  func connect() {
    monitoring.bus = bus
    monitoring.onFailure = { [service] in service.end($0) }
    positioning.onOutput = { [unowned self] in deliver($0) }
    departures.onAdvice = { [unowned self] in publish($0) }
    monitoring.lackOfCompass = { [unowned orientation] in orientation.requestObstacle }
    orientation.onHeading = { [unowned positioning] in positioning.take(heading: $0, accuracy: $1, at: $2) }
    orientation.onOutput = { [unowned self] in deliver($0) }
    guidance.onOutput = { [unowned sessions] in sessions.guidance.take($0) }
    guidance.onPace = { [unowned self] in departures.take(pace: $0) }
    orientation.onAvailabilityChange = { [unowned self] in bus.headingAvailabilityChanged() }
    positioning.onSourcesChange = { [unowned self] in
      guidance.sourcesChanged()
      bus.locationSourcesChanged()
    }
    positioning.onHealthChange = { [unowned self] in bus.locationHealthChanged() }
    ownBeacons.onChange = { [unowned self] in bus.advertisementsChanged() }
    ownBeacons.onScanInTheWay = { [unowned self] in source.yield(adapter: $0) }
    monitoring.onMotion = { [unowned self] in recorder.take($0, at: $1) }
    recorder.onChange = { [unowned self] in monitoring.isRecording = !recorder.isIdle }
    service.onCheck = { [unowned self] in metrics.check() }
    service.reloads.health = { [unowned self] in health }
    service.reloads.onRefusedReloadChange = { [unowned self] in bus.refusedReloadChanged() }
    venues.onChange = { [unowned self] in _ = apply(venues.configured) }
    service.reloads.onConfigurationChange = { [unowned self] in bus.configurationChanged() }
  }

  private func deliver(_ output: Locator.Output) {
    switch output.listener {
    case .engine: monitoring.take(output)
    case .headings: orientation.take(output)
    case .guidance: guidance.take(output)
    case .departures: departures.take(output)
    case .client: sessions.locations.take(output)
    }
  }

  private func deliver(_ output: HeadingService.Output) {
    switch output.client {
    case .guidance: guidance.take(output)
    case .session: sessions.headings.take(output)
    }
  }

  /// Stores and sends advice of the device, and sends that of a session to it alone.
  private func publish(_ advice: DepartureAdvice) {
    let event = departures.event(of: advice)
    switch advice.owner {
    case .device: monitoring.publish(event)
    case .session(let number): sessions.appointments.send(event, advice.appointment.id.text, to: number)
    }
  }

  /// Opens the file of decisions, or returns nil if there is no memory for it.
  static func open(_ path: String?) -> ConsentStore? {
    do throws(DatabaseError) { return try ConsentStore(path: path) } catch { return nil }
  }

  /// Returns the addresses of locations, which are looked up from `lookUpAddresses(_:)` on.
  static func geocoding(_ service: ServiceProgram, _ files: StateFiles) -> ConfiguredGeocoding {
    ConfiguredGeocoding(
      service.loop, file: { files.addresses.map { AddressStore(path: $0, log: service.log) } }, log: service.log
    ) { NominatimServer(service.loop, url: $0.url, userAgent: userAgent) }
  }

  /// Identifies this program to servers, with a page that says what it is.
  private static let userAgent = "beaconmond/\(ProgramVersion.current) (Beacon and region monitor for Linux)"

  /// Returns the service of locations with the parts that the plan names, and the position in venues.
  static func positioning(
    _ plan: LocationPlan, _ configuration: Configuration, _ source: any RecordableSource, _ service: ServiceProgram,
    _ shared: MachineSensors
  ) -> (PositioningService, IndoorSource) {
    let (loop, log, played) = (service.loop, service.log, source as? CaptureSource)
    if plan.leavesOutSources {
      log.notice("\(source.name) provides the location of this device; the sources of [location] are not used")
    }
    let recorded = plan.clock == .recording ? played?.clock : nil
    let clock: any LocationClock = recorded ?? BootTimeClock(loop)
    let indoor = IndoorSource(clock)
    var sources: [any LocationSource] =
      switch plan.fixes {
      case .recorded: [played?.receiver(loop)].compactMap(\.self)
      case .configured: configuration.location.sources(loop)
      }
    if plan.hasIndoorPosition { sources.append(indoor) }
    let sensors = plan.usesMotionSensors ? IIOMotionSensors.ofMachine(loop, shared) : nil
    return (PositioningService(loop, sources, clock, sensors, log: log), indoor)
  }
}

extension CaptureSource {
  /// Returns the receiver of the recorded locations, to which they go from now on; nil without locations.
  fileprivate func receiver(_ loop: Loop) -> PlayedSource? {
    guard let located else { return nil }
    let receiver = PlayedSource(loop, located.source, playing: located.recording) { [unowned self] in lines }
    locations = receiver
    return receiver
  }
}

extension Daemon {
  static func headingSources(
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
