import DeliveryScheduling
import Diagnostics
import EventActions
import Events
import Instants
import Logging
import Records
import Scheduling

/// The numbers of deliveries to a target by outcome, which are kept when its worker is replaced.
public final class DeliveryCounts {
  public internal(set) var delivered = 0
  /// The failed attempts that are repeated.
  public internal(set) var failed = 0
  public internal(set) var givenUp = 0
  /// The deliveries that were too old for their target.
  public internal(set) var skipped = 0

  public init() {}
}

/// The queue of waiting deliveries from which workers deliver.
public protocol DeliveryQueue: AnyObject {
  /// Returns the next deliveries of a target; `nil` if they cannot be read now.
  func waiting(_ target: Target, after id: Int64, limit: Int) -> [Delivery]?
  /// Removes a delivery. It becomes a dead letter if there is a reason.
  func settle(_ target: String, _ id: Int64, reason: String?)
}

/// Delivers the waiting events of one target.
public final class DeliveryWorker {
  public let target: Target
  private let scheduler: any Scheduler
  private let destination: any DeliveryTarget
  private let waiting: any DeliveryQueue
  private let log: Logger
  private let counts: DeliveryCounts
  private var queue: TargetQueue
  private var timer: (any SchedulerTimer)?
  private var random = SystemRandomNumberGenerator()
  /// The number of attempts under way.
  private var attempts = 0
  /// Whether the worker starts no attempt, because another outbox is about to replace the present one.
  var isHeld = false {
    didSet { if !isHeld { continueSoon() } }
  }
  /// Runs when the last attempt under way has ended.
  var onIdle: () -> Void = {}
  var isIdle: Bool { attempts == 0 }
  /// Whether the outbox may contain more deliveries than the queue.
  private var mayHaveMore = true

  public init(
    _ scheduler: any Scheduler, _ target: Target, to destination: any DeliveryTarget, _ waiting: any DeliveryQueue,
    counts: DeliveryCounts = DeliveryCounts(), log: Logger
  ) {
    self.scheduler = scheduler
    self.counts = counts
    self.target = target
    self.destination = destination
    self.waiting = waiting
    self.log = log
    queue = TargetQueue(target.policy, lanes: target.means.lanes, at: scheduler.now)
    timer = scheduler.timer { [unowned self] in work() }
    continueSoon()
    if let destination = destination as? any ReturningTarget { destination.onReturn = { [weak self] in self?.retry() } }
  }

  /// Call when an event was queued for the target.
  public func deliveryQueued() {
    mayHaveMore = true
    continueSoon()
  }

  /// Restarts with the deliveries of another outbox. No attempt may be under way.
  func restart() {
    queue = TargetQueue(target.policy, lanes: target.means.lanes, at: scheduler.now)
    deliveryQueued()
  }

  /// Retries at once after a failure, because the target is available again.
  func retry() {
    queue.endPause(at: scheduler.now)
    continueSoon()
  }

  private func continueSoon() { timer?.arm(at: scheduler.now) }

  private func work() {
    while !isHeld {
      refill()
      switch queue.next(at: scheduler.now) {
      case .send(let delivery):
        attempts += 1
        destination.deliver(delivery) { [weak self] in self?.settle(delivery, $0) }
      case .giveUp(let delivery): makeDeadLetter(delivery, queue.lateReason)
      case .passOver(let delivery):
        counts.skipped += 1
        log.info(
          "\(target.label) for \(delivery.name): skipped, because it is older than \(target.policy.maximumAge?.text ?? "")",
          metadata: .init(.deliveryPassedOver, delivery))
        waiting.settle(target.name, delivery.id, reason: nil)
      case .wait(let until):
        timer?.arm(at: min(until, timer?.due ?? .never))
        return
      case .rest: return
      }
    }
  }

  private func refill() {
    guard mayHaveMore, queue.room >= TargetQueue.capacity / 2 else { return }
    let room = queue.room
    guard let more = waiting.waiting(target, after: queue.lastID, limit: room) else {
      timer?.arm(at: scheduler.now + OutboxBatcher.pause)
      return
    }
    mayHaveMore = more.count == room
    queue.append(more)
  }

  private func settle(_ delivery: Delivery, _ outcome: DeliveryOutcome) {
    attempts -= 1
    let failures = queue.failures
    switch queue.settle(delivery.id, outcome, at: scheduler.now, using: &random) {
    case .done:
      counts.delivered += 1
      waiting.settle(target.name, delivery.id, reason: nil)
    case .dead(let reason): makeDeadLetter(delivery, reason)
    case .again:
      counts.failed += 1
      // Reports each outage once; later attempts report nothing new.
      if case .failed(let reason, _) = outcome, failures == 0 {
        log.warning("\(target.label) for \(delivery.name): \(reason); retrying", metadata: .init(.deliveryFailed, delivery))
      }
    }
    if failures > 0, queue.failures == 0 {
      log.info("\(target.label): available again after \(Count.text(failures, "failure"))")
    }
    // Continues later, because the callback of the target still uses it.
    continueSoon()
    if isIdle { onIdle() }
  }

  private func makeDeadLetter(_ delivery: Delivery, _ reason: String) {
    counts.givenUp += 1
    log.warning("\(target.label) for \(delivery.name): \(reason)", metadata: .init(.deliveryGivenUp, delivery))
    waiting.settle(target.name, delivery.id, reason: reason)
  }
}

extension Target.Means {
  /// The order of deliveries: one after the other, except for commands.
  ///
  /// Commands of different regions need not wait for one another; the factory limits how many run at once.
  fileprivate var lanes: TargetQueue.Lanes {
    if case .command = self { .perRegion(most: TargetQueue.capacity) } else { .one }
  }
}
