import DeliveryScheduling
import EventActions
import Events
import Failures
import FleetReporting
import Instants
import Logging
import Metrics
import Records
import Scheduling

/// Delivers the daemon's events to targets at least once and in order, across restarts of either program.
///
/// Events go from the feeds into the outbox, and from there to the targets. Each target has a worker of its own.
public final class NotificationService {
  /// Runs when it is known whether the user consents to the events of registered regions, and at each change.
  public var onConsentChange: (_ isGiven: Bool) -> Void = { _ in }
  private let link: any MonitorLink
  private let log: Logger
  private let batcher: OutboxBatcher
  private let dispatcher: DeliveryDispatcher
  /// The events of the config's regions.
  private let configured: EventIntake
  /// The events of registered regions; nil for a notifier that wakes no apps.
  private let registered: EventIntake?
  /// Opens the outbox file that failed at the start; nil if the outbox is on disk.
  private var reopener: OutboxReopener?
  private var presence: AnyObject?
  /// Whether an outbox in memory replaces the file, which fails.
  private var isOutboxReplaced: Bool
  /// Requests the regions' states again after a failure.
  private var statesTimer: (any SchedulerTimer)?
  private var statesBackoff = Backoff(from: .seconds(1), to: .seconds(60))
  /// Requests them again while the daemon does not know a region of this configuration.
  private var missingBackoff = Backoff(from: .seconds(1), to: .seconds(900))
  /// Requests the last events again after a failure.
  private var eventsTimer: (any SchedulerTimer)?
  private var eventsBackoff = Backoff(from: .seconds(1), to: .seconds(60))
  /// The reason in the log why the last events are unknown.
  private var eventsFailure: MonitorFailure?
  private let scheduler: any Scheduler
  private var isMonitorThere = false
  /// Whether the daemon has reported its regions since it started.
  private var hasStates = false
  /// The regions whose last events were requested from this daemon.
  private var requestedEvents: Set<String> = []

  /// - Parameters:
  ///   - file: the file that replaces `outbox` as soon as it can be opened; nil if `outbox` remains in use.
  ///   - observations: observes beacons and the location for the targets that publish them.
  ///   - fleet: the device as the hub of a fleet sees it.
  ///   - wakesApplications: whether to wake apps at the regions that they have registered.
  ///   - isClockSet: returns whether the wall clock is synchronized.
  /// - Throws: the reason why a target cannot be created.
  public init(
    _ scheduler: any Scheduler, _ outbox: any EventOutbox, orFrom file: (any OutboxFile)? = nil, _ factory: any DeliveryTargetFactory,
    _ link: any MonitorLink, _ settings: NotificationSettings, observing observations: (any ObservationLink)? = nil,
    fleet: FleetPorts? = nil, wakesApplications: Bool,
    isClockSet: @escaping () -> Bool, log: Logger
  ) throws(Failure) {
    self.scheduler = scheduler
    self.link = link
    self.log = log
    let batcher = OutboxBatcher(scheduler, outbox, log: log)
    let dispatcher = DeliveryDispatcher(scheduler, batcher, factory, observations, fleet, wakesApplications: wakesApplications, log: log)
    func intake(_ feed: EventFeed) -> EventIntake {
      EventIntake(feed, scheduler, link, batcher, dispatcher, isClockSet: isClockSet, log: log)
    }
    isOutboxReplaced = file != nil
    self.batcher = batcher
    self.dispatcher = dispatcher
    configured = intake(.config)
    registered = wakesApplications ? intake(.registered) : nil
    try dispatcher.use(settings)
    configured.onStatesNeeded = { [unowned self] in requestStates() }
    registered?.onConsentChange = { [unowned self] in onConsentChange($0) }
    statesTimer = scheduler.timer { [unowned self] in requestStates() }
    eventsTimer = scheduler.timer { [unowned self] in requestLastEvents() }
    reopener = file.map { file in OutboxReopener(scheduler, batcher, dispatcher, file, log: log) { [unowned self] in outboxChanged() } }
  }

  /// Follows the daemon's events.
  public func start() {
    followIfNeeded()
    registered?.follow()
    presence = link.watchPresence { [unowned self] in presenceChanged($0) }
  }

  /// Applies changed settings; throws if a target cannot be created, and then changes nothing.
  public func reconfigure(_ settings: NotificationSettings) throws(Failure) {
    try dispatcher.use(settings)
    followIfNeeded()
    // The daemon may have changed its regions too, with its own reload. It may not have completed that yet.
    missingBackoff.reset()
    if hasStates { requestStates() }
  }

  /// The figures for metrics and for the health. Reads the outbox.
  public var figures: NotifierFigures {
    var figures = NotifierFigures()
    figures.targets = dispatcher.figures
    (figures.isMonitorThere, figures.isOutboxFailing) = (isMonitorThere, batcher.hasFailed || isOutboxReplaced)
    figures.isOutboxDurable = batcher.isOutboxOnDisk && !figures.isOutboxFailing
    return figures
  }

  /// Stores the outcomes of deliveries; the service is not used afterwards.
  public func end() {
    dispatcher.end()
    let count = batcher.waitingCount
    if count > 0 { log.notice("\(Count.text(count, "delivery waits", plural: "deliveries wait"))") }
  }

  /// Follows the config's events if a target needs them.
  /// Any user may run a notifier that only wakes apps, but few may receive the config's events.
  private func followIfNeeded() {
    if !configured.isFollowing, registered == nil || dispatcher.needsEvents { configured.follow() }
  }

  private func outboxChanged() {
    isOutboxReplaced = false
    dispatcher.outboxChanged()
    configured.outboxChanged()
    registered?.outboxChanged()
  }

  private func presenceChanged(_ isAvailable: Bool) {
    isMonitorThere = isAvailable
    dispatcher.monitorChanged(isThere: isAvailable)
    guard !isAvailable else { return }
    hasStates = false
    requestedEvents = []
    statesTimer?.arm(at: .never)
    eventsTimer?.arm(at: .never)
    eventsBackoff.reset()
    configured.lost()
    registered?.lost()
    log.info("beaconmond is not running; waiting for it")
  }

  /// Requests the regions' states until the daemon reports them.
  ///
  /// Brokers would otherwise show old states until the daemon's next start.
  private func requestStates() {
    statesTimer?.arm(at: .never)
    link.requestStates { [weak self] in self?.statesAre($0) }
  }

  private func statesAre(_ answer: Result<[RegionStateReport], MonitorFailure>) {
    switch answer {
    case .success(let regions):
      hasStates = true
      dispatcher.note(regions)
      requestLastEvents()
      // A daemon that has not applied its new configuration yet reports the new regions later.
      statesBackoff.reset()
      guard dispatcher.missingRegions.isEmpty else { return requestStates(after: &missingBackoff) }
      missingBackoff.reset()
    case .failure(let failure):
      // A request would start a daemon that has ended.
      guard isMonitorThere else { return }
      log.warning("beaconmond does not report its regions: \(failure.reason); retrying")
      requestStates(after: &statesBackoff)
    }
  }

  private func requestStates(after backoff: inout Backoff) { arm(statesTimer, after: &backoff) }

  private func arm(_ timer: (any SchedulerTimer)?, after backoff: inout Backoff) {
    var random = SystemRandomNumberGenerator()
    timer?.arm(at: scheduler.now + backoff.next(using: &random))
  }

  /// Requests the last events that brokers keep, as far as this process has not received them.
  private func requestLastEvents() {
    let regions = dispatcher.regionsWithoutEvent.subtracting(requestedEvents)
    guard !regions.isEmpty else { return }
    // A region without an event in the journal has none later either, unless the intake receives it.
    requestedEvents.formUnion(regions)
    link.requestLastEvents(of: regions) { [weak self] in self?.take($0, of: regions) }
  }

  private func take(_ answer: Result<[Event], MonitorFailure>, of regions: Set<String>) {
    switch answer {
    case .success(let events):
      eventsBackoff.reset()
      eventsFailure = nil
      dispatcher.note(lastEvents: events)
    case .failure(let failure):
      guard isMonitorThere else { return }
      requestedEvents.subtract(regions)
      if failure != eventsFailure { log.warning("beaconmond does not report its last events: \(failure.reason); retrying") }
      eventsFailure = failure
      arm(eventsTimer, after: &eventsBackoff)
    }
  }
}
