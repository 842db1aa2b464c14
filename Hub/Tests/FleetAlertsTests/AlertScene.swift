import Alerts
import DeliveryScheduling
import EventActions
import Events
import FleetAlerts
import Instants

struct DatabaseFailure: Error, CustomStringConvertible {
  var description: String { "the database does not answer" }
}

/// The rows that the stores of all processes share.
final class AlertRows {
  var isDown = false
  /// The machines that have lost their links.
  var unreachable: Set<String> = []
  var hasWorkers = true
  var alerts: [AlertKey: OpenAlert] = [:]
  var deliveries: [(target: String, delivery: Delivery)] = []
  var record = PresenceRecord()
  var settled: [SettledDelivery] = []
  var batches = 0
  var readings = 0
  /// The link that has the lock, which ends with the link.
  weak var holder: AlertLink?
  fileprivate var number: Int64 = 0
}

/// A link to the database of a process.
final class AlertLink: AlertStore {
  private let rows: AlertRows
  private let scheduler: ManualScheduler
  private let machine: String

  init(_ rows: AlertRows, _ scheduler: ManualScheduler, of machine: String) throws {
    (self.rows, self.scheduler, self.machine) = (rows, scheduler, machine)
    try check()
  }

  private func check() throws {
    guard !rows.isDown, !rows.unreachable.contains(machine) else { throw DatabaseFailure() }
  }

  func lead() throws -> Bool {
    try check()
    if rows.holder == nil { rows.holder = self }
    return rows.holder === self
  }

  func note(_ disks: [DiskSpace], on machine: String) throws { try check() }

  func load() throws -> (open: [OpenAlert], record: PresenceRecord) {
    try check()
    return (Array(rows.alerts.values), rows.record)
  }

  func observe() throws -> FleetObservation {
    try check()
    rows.readings += 1
    return FleetObservation(now: scheduler.wallClock, hasWorkers: rows.hasWorkers)
  }

  func mutes() throws -> [AlertMute] {
    try check()
    return []
  }

  func write(_ batch: AlertBatch) throws -> [AlertKey: Int64] {
    try check()
    rows.batches += 1
    rows.record = batch.record
    var ids: [AlertKey: Int64] = [:]
    for change in batch.changes {
      switch change {
      case .opened(var alert):
        rows.number += 1
        (alert.id, ids[alert.key]) = (rows.number, rows.number)
        alert.isAnnounced = batch.announcements.contains { $0.alert.key == alert.key }
        rows.alerts[alert.key] = alert
      case .calmed(let alert): rows.alerts[alert.key] = alert
      case .ended(let alert, _, _): rows.alerts[alert.key] = nil
      }
    }
    for announcement in batch.announcements {
      for target in announcement.targets {
        rows.number += 1
        let kind: Event.Kind = announcement.end == nil ? .alert : .alertEnded
        let event = Event(sequence: UInt64(rows.number), kind: kind, time: scheduler.wallClock)
        rows.deliveries.append((target, Delivery(id: rows.number, message: "\(rows.number)", event: event, json: event.json)))
      }
    }
    return ids
  }

  func waiting(_ target: Target, after id: Int64, limit: Int, now: Instant) throws -> [Delivery] {
    try check()
    return Array(rows.deliveries.lazy.filter { $0.target == target.name && $0.delivery.id > id }.map(\.delivery).prefix(limit))
  }

  func settle(_ settled: [SettledDelivery]) throws {
    try check()
    rows.settled += settled
    rows.deliveries.removeAll { row in settled.contains { $0.id == row.delivery.id } }
  }

  func makeDeadLetters(except targets: [String]) throws -> Int {
    try check()
    return 0
  }
}

/// A target that notes what it gets.
final class NotingTarget: DeliveryTarget {
  private let scheduler: ManualScheduler
  private(set) var kinds: [Event.Kind?] = []
  /// Whether an attempt has no outcome until the test calls `answer`.
  var isSlow = false
  private var completions: [(DeliveryOutcome) -> Void] = []

  init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

  func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
    kinds.append(delivery.event.kind)
    if isSlow { completions.append(completion) } else { scheduler.enqueue { completion(.delivered) } }
  }

  func answer() {
    for completion in completions { completion(.delivered) }
    completions = []
  }
}
