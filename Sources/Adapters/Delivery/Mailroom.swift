import Deliveries
import EventActions
import EventLoop
import Events
import Instants
import Logging
import SQLite

/// Between the outbox and those who use it: gathers what is settled into few commits, and copes with a disk that fails.
public final class Mailroom {
  /// How long something settled may wait for its commit. A crash within it repeats a delivery.
  private static let delay = Span.milliseconds(100)
  /// How long a disk that failed is left alone.
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
  /// Of which events were refused. What comes after those would move the place behind them.
  private var refused: Set<EventFeed> = []

  /// - Parameter retryPause: the time after which a disk that failed is used again.
  public init(_ loop: Loop, _ outbox: Outbox, log: Logger, retryPause: Span = pause) {
    self.loop = loop
    self.retryPause = retryPause
    self.outbox = outbox
    self.log = log
    timer = loop.timer { [unowned self] in commit() }
  }

  /// Up to where the events of each journal of a feed are queued.
  public func places(of feed: EventFeed = .config) -> EventPlaces { outbox.places(of: feed) }

  /// Up to where the events of each journal of a feed are queued, for whoever asks for those after it: what comes of the feed is taken again.
  public func resume(_ feed: EventFeed = .config) -> EventPlaces {
    refused.remove(feed)
    return outbox.places(of: feed)
  }

  /// Takes note of where to begin; false after events were refused, which come again.
  public func begin(at places: EventPlaces) -> Bool {
    guard !refused.contains(.config) else { return false }
    _ = trying { () throws(DatabaseError) in try outbox.begin(at: places) }
    return true
  }

  /// Remembers that the broker of a target knows of these regions; returns those that it knows of and should not any more.
  public func announce(_ regions: Set<String>, to target: String) -> Set<String> {
    trying { () throws(DatabaseError) in try outbox.announce(regions, to: target) } ?? []
  }

  /// Queues events; the names of the targets that got something. Nil when the disk fails: then nothing was taken, nor is what follows, until somebody
  /// resumes the feed.
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

  /// Makes dead letters of what waits for targets that are no more.
  public func bury(unless isTarget: (String) -> Bool) {
    commit()
    guard let count = trying({ () throws(DatabaseError) in try outbox.bury(unless: isTarget) }), count > 0 else { return }
    log.warning("\(count) deliveries wait for targets that are no longer in the configuration; they are dead letters now")
  }

  /// Writes what was settled. Before another begins to deliver, for it would do the same again.
  public func commit() {
    guard !settled.isEmpty else { return }
    if trying({ () throws(DatabaseError) in try outbox.settle(settled) }) != nil {
      settled = []
    } else {
      timer?.arm(after: retryPause)
    }
  }

  /// How many deliveries wait.
  public var waitingCount: Int {
    commit()
    return trying { () throws(DatabaseError) in try outbox.waitingCounts().reduce(0) { $0 + $1.count } } ?? 0
  }

  func settle(_ target: String, _ id: Int64, reason: String?) {
    settled.append((target, id, reason))
    if timer?.due == nil { timer?.arm(after: Self.delay) }
  }

  /// Nil when the disk fails.
  func waiting(_ target: Target, after id: Int64, limit: Int) -> [Delivery]? {
    trying { () throws(DatabaseError) in try outbox.waiting(target.name, target.policy, after: id, limit: limit) }
  }

  /// Says once that the disk fails, and once that it works again.
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
