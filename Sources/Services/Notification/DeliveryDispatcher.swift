import DeliveryScheduling
import EventActions
import Events
import Failures
import FleetReporting
import Instants
import Logging
import Publishing
import Regions
import Scheduling

/// The workers of all targets, and the selection of targets for each event.
final class DeliveryDispatcher {
  private let scheduler: any Scheduler
  let batcher: OutboxBatcher
  private let factory: any DeliveryTargetFactory
  private let log: Logger
  /// Whether apps are woken at the regions that they have registered.
  let wakesApplications: Bool
  private(set) var settings = NotificationSettings()
  private var workers: [String: DeliveryWorker] = [:]
  /// The counts by target, which are kept across changes of the configuration.
  private var counts: [String: DeliveryCounts] = [:]
  /// The counts of all apps.
  let applicationCounts = DeliveryCounts()
  private(set) var destinations: [String: any DeliveryTarget] = [:]
  /// The settings and secrets of the connections of targets.
  private var connections: [String: AnyHashable] = [:]
  private let states: StatePublisher
  private let beacons: BeaconReporter
  private let fleet: FleetReporter
  /// Runs when no attempt is under way; nil unless the workers are held.
  private var onIdle: (() -> Void)?

  init(
    _ scheduler: any Scheduler, _ batcher: OutboxBatcher, _ factory: any DeliveryTargetFactory, _ observations: (any ObservationLink)?,
    _ fleet: FleetPorts?, wakesApplications: Bool, log: Logger
  ) {
    self.scheduler = scheduler
    self.batcher = batcher
    self.factory = factory
    self.wakesApplications = wakesApplications
    self.log = log
    beacons = BeaconReporter(scheduler, observations, batcher, log: log)
    states = StatePublisher(batcher, beacons)
    self.fleet = FleetReporter(scheduler, observations, fleet, log: log)
  }

  /// Whether a target needs events of the configuration.
  var needsEvents: Bool { !settings.actions.isEmpty || settings.targets.contains(where: \.means.takesEveryEvent) }

  /// Stores what waits outside of the outbox; the dispatcher is not used afterwards.
  func end() { fleet.end() }

  /// The regions whose present state is published but unknown, although the daemon has reported its regions.
  var missingRegions: Set<String> { states.missingRegions }
  /// The regions whose last event is published but unknown.
  var regionsWithoutEvent: Set<String> { states.regionsWithoutEvent }

  /// Applies settings; targets that did not change continue without interruption.
  /// If a target cannot be created, nothing changes.
  func use(_ settings: NotificationSettings) throws(Failure) {
    var changed: [(target: Target, prepared: PreparedTarget)] = []
    var kept: [String] = []
    for target in settings.targets where workers[target.name]?.target != target || target.means.isRemote {
      let prepared = try factory.prepare(target) { [unowned self] in states.announcement(to: target.name) }
      if workers[target.name]?.target == target, let connection = prepared.connection, connection == connections[target.name] {
        kept.append(target.name)
      } else {
        changed.append((target, prepared))
      }
    }
    self.settings = settings
    factory.parallelCommands = settings.parallelCommands
    let names = Set(settings.targets.map(\.name))
    for name in changed.map(\.target.name) + workers.keys.filter({ !names.contains($0) && Target.application(named: $0) == nil }) {
      workers[name] = nil
      destinations[name] = nil
      connections[name] = nil
    }
    counts = counts.filter { names.contains($0.key) }
    makeDeadLettersOfRemovedTargets()
    for (target, prepared) in changed {
      let destination = prepared.make()
      workers[target.name] = worker(target, destination)
      destinations[target.name] = destination
      connections[target.name] = prepared.connection
    }
    readTargets()
    let stateTargets = destinations.compactMapValues { $0 as? any StateTarget }
    states.use(settings, stateTargets)
    beacons.use(settings, stateTargets)
    let hub = settings.targets.lazy.compactMap { if case .hub(let hub) = $0.means { hub } else { nil } }.first
    fleet.use(hub, destinations[HubSettings.queue] as? any FleetTarget)
    // An administrator who has repaired a broker does not wait for the end of the pause.
    for name in kept { workers[name]?.retry() }
  }

  private func worker(_ target: Target, _ destination: any DeliveryTarget) -> DeliveryWorker {
    let counts = Target.application(named: target.name) == nil ? counts(of: target.name) : applicationCounts
    let worker = DeliveryWorker(scheduler, target, to: destination, batcher, counts: counts, log: log)
    worker.isHeld = onIdle != nil
    worker.onIdle = { [weak self] in self?.workerIsIdle() }
    return worker
  }

  func counts(of name: String) -> DeliveryCounts {
    if let counts = counts[name] { return counts }
    let new = DeliveryCounts()
    counts[name] = new
    return new
  }

  /// Starts no attempt until `resume`, and calls `body` when none is under way.
  func hold(_ body: @escaping () -> Void) {
    onIdle = body
    for worker in workers.values { worker.isHeld = true }
    workerIsIdle()
  }

  /// Continues after `hold`.
  func resume() {
    onIdle = nil
    for worker in workers.values { worker.isHeld = false }
  }

  private func workerIsIdle() {
    guard onIdle != nil else { return }
    // The callback of a target may still use its worker.
    scheduler.enqueue { [weak self] in
      guard let self, let onIdle, workers.values.allSatisfy(\.isIdle) else { return }
      onIdle()
    }
  }

  /// Delivers from another outbox. Call this after the batcher replaced the outbox, while no attempt is under way.
  func outboxChanged() {
    makeDeadLettersOfRemovedTargets()
    readTargets()
    for worker in workers.values { worker.restart() }
    // The file may name entities that have to be removed, and beacons of an earlier run.
    beacons.outboxChanged()
    states.announce()
  }

  private func makeDeadLettersOfRemovedTargets() {
    // A hub numbers events, so the events that wait for it are kept even if its table is missing for a while.
    let names = Set(settings.targets.map(\.name)).union([HubSettings.queue])
    batcher.makeDeadLetters { [wakesApplications] in names.contains($0) || wakesApplications && Target.application(named: $0) != nil }
  }

  private func readTargets() {
    if wakesApplications { batcher.readTargets { [weak self] in self?.wakeApplications($0) } }
  }

  /// Takes the present states of all regions from the daemon.
  func note(_ regions: [RegionStateReport]) { states.note(regions) }

  /// Takes the last events of regions from the journal.
  func note(lastEvents: [Event]) { states.note(lastEvents: lastEvents) }

  /// Call when the daemon starts or ends.
  func monitorChanged(isThere: Bool) {
    states.isMonitorThere = isThere
    if !isThere { states.forget() }
  }

  /// Queues events of a feed; returns false if the disk fails and the events must be sent again.
  ///
  /// - Parameter isLive: whether the events happen now. Earlier ones change no published state.
  func accept(_ events: [Event], of feed: EventFeed, isLive: Bool, age: (Event) -> Span) -> Bool {
    switch feed {
    case .config: accept(events, isLive: isLive, age: age)
    case .registered: acceptRegistered(events, age: age)
    }
  }

  private func accept(_ events: [Event], isLive: Bool, age: (Event) -> Span) -> Bool {
    guard let touched = batcher.accept(events, of: .config, age: age, targets: { settings.targets(for: $0) }) else {
      return false
    }
    states.accept(events, isLive: isLive)
    for name in touched { workers[name]?.deliveryQueued() }
    return true
  }
}

// MARK: Apps

extension DeliveryDispatcher {
  /// Queues events at registered regions for their apps.
  private func acceptRegistered(_ events: [Event], age: (Event) -> Span) -> Bool {
    let touched = batcher.accept(events, of: .registered, age: age) { event in
      event.appID.map { [Target(application: $0).name] } ?? []
    }
    guard let touched else { return false }
    wakeApplications(Array(touched))
    return true
  }

  /// Creates a worker for each app with its first event.
  private func wakeApplications(_ names: [String]) {
    for name in names {
      guard let id = Target.application(named: name) else { continue }
      if let worker = workers[name] {
        worker.deliveryQueued()
        continue
      }
      let target = Target(application: id)
      do throws(Failure) {
        workers[name] = worker(target, try factory.prepare(target) { .none }.make())
      } catch {
        log.error("\(error)")
      }
    }
  }
}
