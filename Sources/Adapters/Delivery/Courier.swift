import Deliveries
import Diagnostics
import EventActions
import EventLoop
import Events
import Instants
import Logging
import Records

/// Delivers the waiting events of one target.
public final class Courier {
  public let target: Target
  private let loop: Loop
  private let place: any DeliveryTarget
  private let mailroom: Mailroom
  private let log: Logger
  private var queue: TargetQueue
  private var timer: Timer?
  private var random = SystemRandomNumberGenerator()
  /// Whether the outbox may contain more deliveries than the queue.
  private var mayHaveMore = true

  public init(_ loop: Loop, _ target: Target, at place: any DeliveryTarget, lanes: TargetQueue.Lanes, _ mailroom: Mailroom, log: Logger) {
    self.loop = loop
    self.target = target
    self.place = place
    self.mailroom = mailroom
    self.log = log
    queue = TargetQueue(target.policy, lanes: lanes, at: loop.now)
    timer = loop.timer { [unowned self] in work() }
    timer?.arm(after: .zero)
    if let place = place as? any ReturningTarget { place.onReturn = { [weak self] in self?.retry() } }
  }

  /// Call when an event was queued for the target.
  public func nudge() {
    mayHaveMore = true
    timer?.arm(after: .zero)
  }

  /// Retries at once after a failure, because the target is available again.
  private func retry() {
    queue.endPause(at: loop.now)
    timer?.arm(after: .zero)
  }

  private func work() {
    while true {
      refill()
      switch queue.next(at: loop.now) {
      case .send(let delivery): place.deliver(delivery) { [weak self] in self?.settle(delivery, $0) }
      case .giveUp(let delivery): bury(delivery, queue.lateReason)
      case .passOver(let delivery):
        log.info(
          "\(target.label) for \(delivery.name): skipped, because it is older than \(target.policy.maximumAge?.text ?? "")",
          metadata: .init(.deliveryPassedOver, delivery))
        mailroom.settle(target.name, delivery.id, reason: nil)
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
    guard let more = mailroom.waiting(target, after: queue.lastID, limit: room) else {
      timer?.arm(after: Mailroom.pause)
      return
    }
    mayHaveMore = more.count == room
    queue.append(more)
  }

  private func settle(_ delivery: Delivery, _ outcome: DeliveryOutcome) {
    let failures = queue.failures
    switch queue.settle(delivery.id, outcome, at: loop.now, using: &random) {
    case .done: mailroom.settle(target.name, delivery.id, reason: nil)
    case .dead(let reason): bury(delivery, reason)
    case .again:
      // Reports each outage once; later attempts report nothing new.
      if case .failed(let reason, _) = outcome, failures == 0 {
        log.warning("\(target.label) for \(delivery.name): \(reason); retrying", metadata: .init(.deliveryFailed, delivery))
      }
    }
    if failures > 0, queue.failures == 0 {
      log.info("\(target.label): available again after \(failures) failure\(failures == 1 ? "" : "s")")
    }
    // Continues later, because the callback of the target still uses it.
    timer?.arm(after: .zero)
  }

  private func bury(_ delivery: Delivery, _ reason: String) {
    log.warning("\(target.label) for \(delivery.name): \(reason)", metadata: .init(.deliveryGivenUp, delivery))
    mailroom.settle(target.name, delivery.id, reason: reason)
  }
}

extension Delivery {
  /// The event in the log, such as `event 12 (enter entrance)`.
  var name: String { "event \(event.sequence) (\(event.kind?.rawValue ?? "?") \(event.region ?? "?"))" }
}
