import Deliveries
import EventActions
import EventLoop
import Events
import Instants
import Logging
import SQLite

/// Batches commits to the outbox, and handles failures of its disk.
public final class Mailroom {
  /// The maximum time between a settled delivery and its commit. A crash within it repeats the delivery.
  private static let delay = Span.milliseconds(100)
  /// The time between two attempts to use a failed disk.
  public static let pause = Span.seconds(10)

  private let loop: Loop
  private let outbox: Outbox
  private let log: Logger
  private var settled: [(target: String, id: Int64, reason: String?)] = []
  private var timer: Timer?
  private let retryPause: Span
  /// Reads the targets again after the disk failed.
  private var targetsTimer: Timer?
  private var hasFailed = false
  /// The feeds of which events were refused. Later events would move the place behind these.
  private var refused: Set<EventFeed> = []

  /// - Parameter retryPause: the time after which a disk that failed is used again.
  public init(_ loop: Loop, _ outbox: Outbox, log: Logger, retryPause: Span = pause) {
    self.loop = loop
    self.retryPause = retryPause
    self.outbox = outbox
    self.log = log
    timer = loop.timer { [unowned self] in commit() }
  }

  /// Returns the places up to which the events of a feed are queued.
  public func places(of feed: EventFeed = .config) -> EventPlaces { outbox.places(of: feed) }

  /// Returns the places up to which the events of a feed are queued, and accepts events of the feed again.
  ///
  /// Call this before requesting the events after these places.
  public func resume(_ feed: EventFeed = .config) -> EventPlaces {
    refused.remove(feed)
    return outbox.places(of: feed)
  }

  /// Records the places at which to begin; returns false after events were refused, which must be requested again.
  public func begin(at places: EventPlaces) -> Bool {
    guard !refused.contains(.config) else { return false }
    _ = trying { () throws(DatabaseError) in try outbox.begin(at: places) }
    return true
  }

  /// Records the regions that were announced to the broker of a target; returns those that have to be withdrawn.
  public func announce(_ regions: Set<String>, to target: String) -> Set<String> {
    trying { () throws(DatabaseError) in try outbox.announce(regions, to: target) } ?? []
  }

  /// Queues events, and returns the names of the targets with new deliveries.
  ///
  /// - Returns: `nil` if the disk fails. These and later events are refused until `resume`.
  public func accept(
    _ events: [Event], of feed: EventFeed = .config, age: (Event) -> Span, targets: (Event) -> [String]
  ) -> Set<String>? {
    guard !refused.contains(feed) else { return nil }
    let touched = trying { () throws(DatabaseError) in try outbox.accept(events, of: feed, age: age, targets: targets) }
    if touched == nil { refused.insert(feed) }
    return touched
  }

  /// Calls `body` with the names of the targets that have pending deliveries: at once, or later if the disk fails now.
  public func readTargets(_ body: @escaping ([String]) -> Void) {
    targetsTimer = nil
    if let targets = trying({ () throws(DatabaseError) in try outbox.targets() }) { return body(targets) }
    // The timer's own callback still uses the timer that the next attempt replaces.
    targetsTimer = loop.timer { [unowned self] in loop.enqueue { [weak self] in self?.readTargets(body) } }
    targetsTimer?.arm(after: retryPause)
  }

  /// Turns the deliveries of removed targets into dead letters.
  public func bury(unless isTarget: (String) -> Bool) {
    commit()
    guard let count = trying({ () throws(DatabaseError) in try outbox.bury(unless: isTarget) }), count > 0 else { return }
    log.warning("\(count) deliveries of targets that are no longer in the configuration became dead letters")
  }

  /// Commits settled deliveries. Call this before another object delivers, which would repeat them.
  public func commit() {
    guard !settled.isEmpty else { return }
    if trying({ () throws(DatabaseError) in try outbox.settle(settled) }) != nil {
      settled = []
    } else {
      timer?.arm(after: retryPause)
    }
  }

  /// The number of waiting deliveries.
  public var waitingCount: Int {
    commit()
    return trying { () throws(DatabaseError) in try outbox.waitingCounts().reduce(0) { $0 + $1.count } } ?? 0
  }

  func settle(_ target: String, _ id: Int64, reason: String?) {
    settled.append((target, id, reason))
    if timer?.due == nil { timer?.arm(after: Self.delay) }
  }

  /// Returns the next deliveries of a target; `nil` if the disk fails.
  func waiting(_ target: Target, after id: Int64, limit: Int) -> [Delivery]? {
    trying { () throws(DatabaseError) in try outbox.waiting(target.name, target.policy, after: id, limit: limit) }
  }

  /// Runs `body`, and logs once that the disk fails and once that it works again.
  private func trying<Value>(_ body: () throws(DatabaseError) -> Value) -> Value? {
    do throws(DatabaseError) {
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
