import DBus
import DigestFiles
import EventActions
import EventLoop
import EventOutbox
import Events
import Failures
import FleetMessages
import FleetReporting
import LocalEndpoints
import LocalTargets
import Logging
import Metrics
import MetricsService
import MonitorClient
import MonitorConfiguration
import Notification
import PositionSharing
import ProgramSupport
import Records
import Regions
import Reloading
import Rollouts
import ShareFiles
import Status

/// Connects the parts of the notifier: events from one bus, an outbox on the disk, and targets.
final class Notifier {
  private let service: ServiceProgram
  private let notification: NotificationService
  private let client: MonitorClient
  private let offers: VenueOffers?
  private let sharing: SharingService
  private let rollouts: RolloutService?
  /// The object for users of shares; nil without a hub.
  private var sharingObject: SharingObject?
  private let hasHub: Bool
  private var presence: AnyObject?
  private var metrics: MetricsService?
  private var endpoint: LocalEndpoint?

  /// - Parameters:
  ///   - actionSocket: the socket of the service that runs commands; nil runs them as children.
  ///   - isPersonal: whether the notifier belongs to a user, beside that of the system.
  ///   - wakesApps: whether to wake apps at the regions that they have registered.
  init(
    bus: BusAddress, desktopBus: BusAddress, configFile: ConfigurationFile, state: StateFolder, actionSocket: String?, isPersonal: Bool,
    wakesApps: Bool
  ) throws(Failure) {
    let document = try configFile.read()
    let configuration = document.configuration
    let settings = configuration.notification
    endpoint = configuration.notifier.metrics
    hasHub = configuration.notifier.hasHub
    service = try ServiceProgram("beaconmon-notifier", bus: bus, configFile: configFile, document)
    let (loop, log) = (service.loop, service.log)
    let factory = TargetFactory(
      loop, desktopBus: desktopBus, actionSocket: actionSocket, parallelCommands: settings.parallelCommands, isPersonal: isPersonal,
      log: log)
    if state.outbox != nil { try state.make() }
    let outbox = try StoredOutbox(loop, path: state.outbox, device: TargetFactory.device, log: log)
    let client = MonitorClient(service.connection)
    self.client = client
    if wakesApps {
      offers = VenueOffers(
        loop, VenueRegistrar(loop, OfferLink(loop, bus, client), log: log),
        OfferDecisions(state.offers.map { OfferFile(path: $0) }, log: log),
        OfferNotifications(on: factory.desktop, AppLauncher(loop, on: factory.desktop)), log: log)
      factory.offers = offers
    } else {
      offers = nil
    }
    let shareFile = try state.shares.map { (path) throws(Failure) in
      try state.make()
      return ShareFile(path: path)
    }
    sharing = SharingService(loop, shareFile, PositionLink(loop, bus), log: log)
    let device = ReportingDevice(client, service, configFile, folder: state.path)
    rollouts = configFile.rollouts.map { RolloutService(loop, RolloutFile(path: $0), SodiumVerifier(), device, log: log) }
    var receivers: [HubMessage.Kind: any HubMessageReceiver] = [.sharing: sharing]
    receivers[.rollout] = rollouts
    var fleet = FleetPorts(device, receivers: receivers) { [log] in
      state.path.map { DigestFiles(folder: $0, log: log) }
    }
    fleet.sharing = sharing
    fleet.rollouts = rollouts
    notification = try NotificationService(
      loop, outbox.outbox, orFrom: outbox.failedFile, factory, FeedLink(client), settings,
      observing: SessionObserver(loop, ObserverLink(loop, bus, client), log: log),
      fleet: fleet,
      wakesApplications: wakesApps, isClockSet: { WallClock.isSynchronised ?? false }, log: log)
    notification.onConsentChange = { [offers] in offers?.consentChanged(isGiven: $0) }
    service.reloads.health = { [unowned self] in health(notification.figures) }
    metrics = MetricsService(loop, log: log) { [unowned self] in collect() }
    service.onCheck = { [unowned self] in metrics?.check() }
  }

  /// Runs the notifier until it is stopped.
  func run() throws(Failure) -> ExitStatus {
    metrics?.listen(at: endpoint)
    try service.run { [unowned self] in
      notification.start()
      offerSharing(if: hasHub)
      if let offers { presence = client.watchPresence { offers.monitorChanged(isThere: $0) } }
      service.ready("Listening")
    } onReload: { [unowned self] document throws(Failure) in
      let settings = document.configuration.notification
      try notification.reconfigure(settings)
      offers?.refresh()
      offerSharing(if: document.configuration.notifier.hasHub)
      metrics?.listen(at: document.configuration.notifier.metrics)
      return Count.text(settings.actions.count, "action")
    }
    metrics?.listen(at: nil)
    notification.end()
    return .ok
  }

  /// Lets users share the position of this device if it has a hub.
  private func offerSharing(if hasHub: Bool) {
    guard hasHub else {
      sharingObject = nil
      return
    }
    guard sharingObject == nil else { return }
    do throws(DBusError) { sharingObject = try SharingObject(service.connection, sharing, rollouts, log: service.log) } catch {
      service.log.error("positions cannot be shared: \(error.message); restart the notifier")
    }
  }

  private func health(_ figures: NotifierFigures) -> HealthReport {
    service.withConnection(HealthReport(figures, refusedReload: service.reloads.refusedReload?.reason))
  }

  private func collect() -> (metrics: MetricSet, health: HealthReport) {
    let figures = notification.figures
    let health = health(figures)
    var metrics = MetricSet()
    metrics.add(service.figures)
    metrics.add(health)
    metrics.add(figures)
    return (metrics, health)
  }
}

extension Configuration {
  fileprivate var notification: NotificationSettings {
    NotificationSettings(
      parallelCommands: notifier.parallelCommands, targets: notifier.targets, actions: notifier.actions, regions: regions.map(\.identifier),
      circles: Set(regions.lazy.filter { $0.kind == .circle }.map(\.identifier)),
      constraints: Dictionary(
        regions.compactMap { region in region.beaconRegion.map { (region.identifier, $0.constraint) } }, uniquingKeysWith: { $1 }))
  }
}

extension NotifierSettings {
  fileprivate var hasHub: Bool { targets.contains(where: \.means.takesEveryEvent) }
}
