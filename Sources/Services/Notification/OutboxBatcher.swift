import Deliveries
import EventActions
import Events
import Instants
import Logging
import Scheduling

/// Batches commits to the outbox, and handles failures of its disk.
final class OutboxBatcher {
  /// The maximum time between a settled delivery and its commit. A crash within it repeats the delivery.
  static let delay = Span.milliseconds(100)
  /// The time between two attempts to use a failed disk.
  static let pause = Span.seconds(10)

  private let scheduler: any Scheduler
  private let outbox: any EventOutbox
  private let log: Logger
  private var settled: [(target: String, id: Int64, reason: String?)] = []
  private var timer: (any SchedulerTimer)?
  /// Reads the targets again after the disk failed.
  private var targetsTimer: (any SchedulerTimer)?
  private var hasFailed = false
  /// The feeds of which events were refused. Later events would move the place behind these.
  private var refused: Set<EventFeed> = []

  init(_ scheduler: any Scheduler, _ outbox: any EventOutbox, log: Logger) {
    self.scheduler = scheduler
    self.outbox = outbox
    self.log = log
    timer = scheduler.timer { [unowned self] in commit() }
  }

  /// Returns the places up to which the events of a feed are queued.
  func places(of feed: EventFeed) -> EventPlaces { outbox.places(of: feed) }

  /// Returns the places up to which the events of a feed are queued, and accepts events of the feed again.
  ///
  /// Call this before requesting the events after these places.
  func resume(_ feed: EventFeed) -> EventPlaces {
    refused.remove(feed)
    return outbox.places(of: feed)
  }

  /// Returns false after events of a feed were refused, which must be requested again.
  func isComplete(_ feed: EventFeed) -> Bool { !refused.contains(feed) }

  /// Records the places at which to begin with the events of the config; returns false after events were refused.
  func begin(at places: EventPlaces) -> Bool {
    guard isComplete(.config) else { return false }
    _ = trying { try outbox.begin(at: places) }
    return true
  }

  /// Records the regions that were announced to the broker of a target; returns those that have to be withdrawn.
  func announce(_ regions: Set<String>, to target: String) -> Set<String> {
    trying { try outbox.announce(regions, to: target) } ?? []
  }

  /// Queues events, and returns the names of the targets with new deliveries.
  ///
  /// - Returns: `nil` if the disk fails. These and later events are refused until `resume`.
  func accept(_ events: [Event], of feed: EventFeed, age: (Event) -> Span, targets: (Event) -> [String]) -> Set<String>? {
    guard isComplete(feed) else { return nil }
    let touched = trying { try outbox.accept(events, of: feed, age: age, targets: targets) }
    if touched == nil { refused.insert(feed) }
    return touched
  }

  /// Calls `body` with the names of the targets that have pending deliveries: at once, or later if the disk fails now.
  func readTargets(_ body: @escaping ([String]) -> Void) {
    targetsTimer = nil
    if let targets = trying({ try outbox.targets() }) { return body(targets) }
    // The timer's own callback still uses the timer that the next attempt replaces.
    targetsTimer = scheduler.timer { [unowned self] in scheduler.enqueue { [weak self] in self?.readTargets(body) } }
    targetsTimer?.arm(at: scheduler.now + Self.pause)
  }

  /// Turns the deliveries of removed targets into dead letters.
  func bury(unless isTarget: (String) -> Bool) {
    commit()
    guard let count = trying({ try outbox.bury(unless: isTarget) }), count > 0 else { return }
    log.warning("\(count) deliveries of targets that are no longer in the configuration became dead letters")
  }

  /// Commits settled deliveries. Call this before another object delivers, which would repeat them.
  func commit() {
    guard !settled.isEmpty else { return }
    if trying({ try outbox.settle(settled) }) != nil {
      settled = []
    } else {
      timer?.arm(at: scheduler.now + Self.pause)
    }
  }

  /// The number of waiting deliveries.
  var waitingCount: Int {
    commit()
    return trying { try outbox.waitingCounts().reduce(0) { $0 + $1.count } } ?? 0
  }

  func settle(_ target: String, _ id: Int64, reason: String?) {
    settled.append((target, id, reason))
    if timer?.due == nil { timer?.arm(at: scheduler.now + Self.delay) }
  }

  /// Returns the next deliveries of a target; `nil` if the disk fails.
  func waiting(_ target: Target, after id: Int64, limit: Int) -> [Delivery]? {
    trying { try outbox.waiting(target.name, target.policy, after: id, limit: limit) }
  }

  /// Runs `body`, and logs once that the disk fails and once that it works again.
  private func trying<Value>(_ body: () throws -> Value) -> Value? {
    do {
      let value = try body()
      if hasFailed { log.notice("the outbox works again") }
      hasFailed = false
      return value
    } catch {
      if !hasFailed { log.error("\(error)") }
      hasFailed = true
      return nil
    }
  }
}
