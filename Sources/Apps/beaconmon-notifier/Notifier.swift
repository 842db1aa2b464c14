import DBus
import Deliveries
import Delivery
import EventLoop
import Events
import Failures
import Glibc
import Instants
import Logging
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import SQLite

/// Connects the parts of the notifier: events from one bus, an outbox on the disk, and workers.
/// The workers deliver from the outbox to targets.
final class Notifier {
  private let service: ServiceProgram
  private let client: MonitorClient
  private let mailroom: Mailroom
  private let deliverers: Deliverers
  private var events: EventFollower?
  /// Whether new events happen now, and are not fetched from the past.
  private var isLive = false
  /// Whether the log says that the notifier listens.
  private var hasSaidSo = false
  private var timer: Timer?
  /// Requests the regions' states again after a failure.
  private var statesTimer: Timer?
  private var statesBackoff = Backoff(from: .seconds(1), to: .seconds(60))
  private var presence: NameWatch?

  private let apps: AppEvents?

  /// - Parameters:
  ///   - actionSocket: the socket of the service that runs commands; nil runs them as children.
  ///   - wakesApps: whether to wake apps at the regions that they have registered.
  init(
    bus: BusAddress, desktopBus: BusAddress, configFile: ConfigurationFile, state: StateFolder, actionSocket: String?, wakesApps: Bool
  ) throws(Failure) {
    let configuration = try configFile.read().configuration
    service = try ServiceProgram("beaconmon-notifier", bus: bus, configFile: configFile)
    client = MonitorClient(service.connection)
    let (loop, log) = (service.loop, service.log)
    let maker = TargetMaker(
      loop: loop, log: log, slots: CommandSlots(count: configuration.notifier.parallelCommands),
      desktop: Desktop(loop, address: desktopBus), actionSocket: actionSocket)
    mailroom = Mailroom(loop, try Self.outbox(loop, state, device: maker.device, log), log: log)
    deliverers = Deliverers(mailroom, maker, wakesApplications: wakesApps)
    apps = wakesApps ? AppEvents(client, mailroom, deliverers, loop, log: log) : nil
    try deliverers.use(configuration)
  }

  /// Runs the notifier until it is stopped.
  func run() throws(Failure) -> ExitStatus {
    try service.run { [unowned self] in
      listen()
    } onReload: { [unowned self] document throws(Failure) in
      let configuration = document.configuration
      try deliverers.use(configuration)
      followIfWanted()
      let count = configuration.notifier.actions.count
      return "\(count) action\(count == 1 ? "" : "s")"
    }
    let count = mailroom.waitingCount
    if count > 0 { service.log.notice("\(count) deliver\(count == 1 ? "y waits" : "ies wait")") }
    return .ok
  }

  private func listen() {
    timer = service.loop.timer { [unowned self] in follow() }
    statesTimer = service.loop.timer { [unowned self] in askForStates() }
    // A notifier that has never received an event starts now, without old events.
    isLive = mailroom.places().latest == nil
    followIfWanted()
    apps?.follow()
    presence = client.watchPresence { [unowned self] isThere in
      deliverers.isMonitorThere = isThere
      guard !isThere else { return }
      isLive = false
      hasSaidSo = false
      statesTimer?.disarm()
      apps?.lost()
      service.log.info("beaconmond is not running; waiting for it")
    }
    service.ready("Listening")
  }

  /// Follows the config's events if a target needs them.
  /// Any user may run a notifier that only wakes apps, but few may receive the config's events.
  private func followIfWanted() {
    if events == nil, apps == nil || deliverers.hasActions { follow() }
  }

  /// Follows events from the place up to which all are in the outbox.
  private func follow() {
    let events = client.followEvents(from: mailroom.resume()) { [unowned self] in accept($0) }
    events.onCaughtUp = { [unowned self] in
      guard let places = self.events?.places, mailroom.begin(at: places) else { return }
      isLive = true
      // From here on no event is missed, even if either program restarts.
      if !hasSaidSo { service.log.info("beaconmond is running; waiting for events") }
      hasSaidSo = true
      askForStates()
    }
    events.onTrouble = { [unowned self] in
      isLive = false
      hasSaidSo = false
      service.log.warning("beaconmond does not report its events: \($0)")
    }
    self.events = events
  }

  /// Requests the regions' states until the daemon reports them.
  ///
  /// Brokers would otherwise show old states until the daemon's next start.
  private func askForStates() {
    statesTimer?.disarm()
    client.status { [unowned self] in
      switch $0 {
      case .success(let status):
        statesBackoff.reset()
        deliverers.note(status.regions)
      case .failure(let error):
        // A request would start a daemon that has ended.
        guard deliverers.isMonitorThere else { return }
        service.log.warning("beaconmond does not report its regions: \(error.message); retrying")
        var random = SystemRandomNumberGenerator()
        statesTimer?.arm(after: statesBackoff.next(using: &random))
      }
    }
  }

  private func accept(_ batch: [Event]) {
    for event in batch { if let notice = event.damageNotice { service.log.error("\(notice)") } }
    let ages = EventAges(isLive ? [] : batch, at: WallClock.now, isClockSet: WallClock.isSynchronised ?? false)
    let isTaken = deliverers.accept(batch, age: ages.age)
    guard !isTaken else { return }
    // The disk fails, so the events are requested again from the stored place; not inside the follower's own callback, which still uses
    // it.
    isLive = false
    service.loop.enqueue { [weak self] in self?.events = nil }
    timer?.arm(after: Mailroom.pause)
  }

  /// Returns the outbox on disk, or one in memory if there is no place for it or its disk fails.
  private static func outbox(_ loop: Loop, _ state: StateFolder, device: String, _ log: Logger) throws(Failure) -> Outbox {
    if let path = state.outbox {
      try state.make()
      do throws(DatabaseError) {
        let outbox = try Outbox(loop, path: path, device: device)
        if let note = outbox.note { log.error("\(note)") }
        if let warning = outbox.permissionWarning { log.warning("\(warning)") }
        return outbox
      } catch {
        guard !error.isUnreadable else {
          throw Failure(
            .dataError,
            "\(error.path): \(error.message); move it away, or restart the notifier, which moves it aside and keeps the readable deliveries"
          )
        }
        log.error("\(error); until then, waiting deliveries are lost when the notifier stops")
      }
    }
    do throws(DatabaseError) { return try Outbox(loop, path: nil, device: device) } catch { throw Failure(.osError, "\(error)") }
  }
}
