import Alerts
import DeliveryScheduling
import EventActions
import Events
import Instants
import Logging
import Notification
import Scheduling

/// Watches a fleet, stores its alerts, and delivers their events to targets.
///
/// Any number of processes may run: one of them has the lock of the database, and the others wait for it.
public final class AlertService: DeliveryQueue {
  public struct Settings: Sendable {
    public var limits: AlertLimits
    public var targets: [Target]
    public var actions: [AlertAction]

    public init(limits: AlertLimits, targets: [Target], actions: [AlertAction]) {
      (self.limits, self.targets, self.actions) = (limits, targets, actions)
    }

    /// The time between two checks.
    public var interval: Span { max(.seconds(1), min(.seconds(10), min(limits.silence, limits.steady) * 0.25)) }
  }

  /// The parts of this machine that the service needs.
  public struct Ports {
    public var connect: () throws -> any AlertStore
    /// Returns the free space of the configured disks.
    public var disks: () -> [DiskSpace]
    /// Returns the certificates of this machine.
    public var certificates: () -> [FleetObservation.Certificate]
    /// Asks the broker for the number of messages that wait there; nil without a broker.
    public var backlog: (() throws -> Int)?
    /// Makes the working target; it is called when this process begins to deliver.
    public var destination: (Target) throws -> any DeliveryTarget
    public var machine: String

    public init(
      machine: String, connect: @escaping () throws -> any AlertStore, disks: @escaping () -> [DiskSpace],
      certificates: @escaping () -> [FleetObservation.Certificate] = { [] }, backlog: (() throws -> Int)?,
      destination: @escaping (Target) throws -> any DeliveryTarget
    ) {
      (self.machine, self.connect, self.disks, self.certificates) = (machine, connect, disks, certificates)
      (self.backlog, self.destination) = (backlog, destination)
    }
  }

  /// The memory of the process that has the lock.
  private struct Leadership {
    var watch: FleetWatch
    var alerts: OpenAlerts
    var workers: [DeliveryWorker]
  }

  /// The time between two attempts to use a database that failed, and between two attempts to take the lock.
  private static let pause = Span.seconds(2)

  private let scheduler: any Scheduler
  private let settings: Settings
  private let ports: Ports
  private let log: Logger
  private var store: (any AlertStore)?
  private var leadership: Leadership?
  private let backlog: BacklogWatch?
  /// Deliveries that were made while the database failed.
  private var settled: [SettledDelivery] = []
  private var timer: (any SchedulerTimer)?
  private var lastError = ""
  /// Whether another process has the lock.
  private var isWaiting = false

  public init(_ scheduler: any Scheduler, _ settings: Settings, _ ports: Ports, log: Logger) {
    (self.scheduler, self.settings, self.ports, self.log) = (scheduler, settings, ports, log)
    backlog = ports.backlog.map { BacklogWatch(scheduler, log: log, ask: $0) }
    timer = scheduler.timer { [unowned self] in check() }
  }

  public func start() { timer?.arm(at: scheduler.now) }

  /// Whether this process decides and delivers.
  public var isLeading: Bool { leadership != nil }

  private func check() {
    var pause = settings.interval
    do {
      let store = try store ?? ports.connect()
      self.store = store
      try store.note(ports.disks(), on: ports.machine)
      if leadership == nil, try store.lead() { try begin(store) }
      if leadership != nil {
        try decide(store)
      } else {
        if !isWaiting { log.notice("another process watches the fleet; this one waits") }
        (isWaiting, pause) = (true, Self.pause)
      }
      if !lastError.isEmpty { log.notice("the database answers again") }
      lastError = ""
    } catch {
      fail(error)
      pause = Self.pause
    }
    timer?.arm(at: scheduler.now + pause)
  }

  /// Gives up the link to the database, and with it the lock.
  private func fail(_ error: any Error) {
    if lastError != "\(error)" { log.error("\(error); starting over") }
    lastError = "\(error)"
    (store, leadership) = (nil, nil)
  }

  private func begin(_ store: any AlertStore) throws {
    if !settled.isEmpty {
      try store.settle(settled)
      settled = []
    }
    let dead = try store.makeDeadLetters(except: settings.targets.map(\.name))
    if dead > 0 { log.warning("\(dead) deliveries to targets that are no longer in the configuration were given up") }
    let (open, record) = try store.load()
    var workers: [DeliveryWorker] = []
    leadership = Leadership(
      watch: FleetWatch(settings.limits, record), alerts: OpenAlerts(steady: settings.limits.steady, open: open), workers: [])
    for target in settings.targets {
      workers.append(DeliveryWorker(scheduler, target, to: try ports.destination(target), self, log: log))
    }
    leadership?.workers = workers
    isWaiting = false
    log.notice("this process watches the fleet; \(open.count) alerts are open")
  }

  private func decide(_ store: any AlertStore) throws {
    guard var leadership else { return }
    var seen = try store.observe()
    seen.backlog = backlog?.backlog()
    seen.certificates = ports.certificates()
    let mutes = try store.mutes()
    var batch = AlertBatch()
    batch.changes = leadership.alerts.apply(leadership.watch.states(seen), at: seen.now)
    batch.record = leadership.watch.record
    for alert in leadership.alerts.open.values where !alert.isAnnounced && !mutes.contains(where: { $0.concerns(alert) }) {
      batch.announcements.append(AlertBatch.Announcement(alert: alert, targets: targets(of: alert)))
    }
    for case .ended(let alert, let end, let text) in batch.changes where alert.isAnnounced {
      batch.announcements.append(AlertBatch.Announcement(alert: alert, end: (end, text), targets: targets(of: alert)))
    }
    batch.announcements.sort { ($0.alert.id ?? .max, $0.alert.key) < ($1.alert.id ?? .max, $1.alert.key) }
    let ids = try store.write(batch)
    for announcement in batch.announcements where announcement.end == nil {
      let alert = announcement.alert
      if let id = alert.id ?? ids[alert.key] { leadership.alerts.stored(alert.key, id: id, isAnnounced: true) }
    }
    for (key, id) in ids { leadership.alerts.stored(key, id: id, isAnnounced: leadership.alerts.open[key]?.isAnnounced ?? false) }
    self.leadership = leadership
    report(batch)
    let touched = Set(batch.announcements.flatMap(\.targets))
    for worker in leadership.workers where touched.contains(worker.target.name) { worker.deliveryQueued() }
  }

  private func targets(of alert: OpenAlert) -> [String] { settings.actions.targets(for: alert.key.kind, site: alert.problem.site) }

  private func report(_ batch: AlertBatch) {
    for change in batch.changes {
      switch change {
      case .opened(let alert): log.warning("alert \(alert.key.kind.rawValue): \(alert.problem.text)")
      case .ended(_, _, let text): log.notice("alert ended: \(text)")
      case .calmed: break
      }
    }
  }

  // MARK: Deliveries

  public func waiting(_ target: Target, after id: Int64, limit: Int) -> [Delivery]? {
    guard let store, leadership != nil else { return nil }
    do { return try store.waiting(target, after: id, limit: limit, now: scheduler.now) } catch {
      failLater(error)
      return nil
    }
  }

  public func settle(_ target: String, _ id: Int64, reason: String?) {
    settled.append(SettledDelivery(target: target, id: id, reason: reason))
    guard let store, leadership != nil else { return }
    do {
      try store.settle(settled)
      settled = []
    } catch {
      failLater(error)
    }
  }

  /// Fails after the callback of the worker, which is released then.
  private func failLater(_ error: any Error) {
    scheduler.enqueue { [weak self] in
      guard let self, store != nil else { return }
      fail(error)
      timer?.arm(at: scheduler.now + Self.pause)
    }
  }
}
