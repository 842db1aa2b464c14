import DeliveryScheduling
import EventActions
import Events
import Instants
import Logging
import Records
import Scheduling

/// Batches commits to the outbox, and handles failures of its disk.
final class OutboxBatcher: DeliveryQueue {
  /// The maximum time between a settled delivery and its commit. A crash within it repeats the delivery.
  static let delay = Span.milliseconds(100)
  /// The time between two attempts to use a failed disk.
  static let pause = Span.seconds(10)

  private let scheduler: any Scheduler
  private var outbox: any EventOutbox
  private let log: Logger
  private var settled: [(target: String, id: Int64, reason: String?)] = []
  private var timer: (any SchedulerTimer)?
  /// The work that the disk has not done yet. Later work of the same kind replaces it.
  private var unfinished: [Work: () throws -> Void] = [:]
  private var workTimer: (any SchedulerTimer)?
  private(set) var hasFailed = false
  /// The feeds of which events were refused. Later events of a feed would move the place past the refused ones.
  private var refused: Set<EventFeed> = []
  /// Whether a delivery was ever queued in the outbox.
  private var hasQueued = false
  /// The places at which the events of the config began; nil until the daemon reports them.
  private var start: EventPlaces?
  /// The events that an earlier outbox has accepted.
  private var handled: [EventFeed: HandledEvents] = [:]

  /// Work that is repeated until the disk has done it.
  private enum Work: CaseIterable {
    case begin
    case makeDeadLetters
    case readTargets
  }

  init(_ scheduler: any Scheduler, _ outbox: any EventOutbox, log: Logger) {
    self.scheduler = scheduler
    self.outbox = outbox
    self.log = log
    timer = scheduler.timer { [unowned self] in commit() }
    workTimer = scheduler.timer { [unowned self] in for work in Work.allCases { unfinished[work].map { attempt(work, $0) } } }
  }

  /// Whether waiting deliveries survive the process, if the disk does not fail.
  var isOutboxOnDisk: Bool { outbox.isOnDisk }

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

  /// Records the places at which to begin with the events of the config. Has no effect after events were refused.
  func begin(at places: EventPlaces) {
    guard isComplete(.config) else { return }
    start = start ?? places
    store(places)
  }

  private func store(_ places: EventPlaces) {
    var start: EventPlaces? = places
    attempt(.begin) { [unowned self] in
      // Events that are accepted before another attempt move the place.
      defer { start = nil }
      try outbox.begin(at: start ?? outbox.places(of: .config))
    }
  }

  /// Replaces the outbox by a file that was opened later, which takes over the waiting deliveries.
  ///
  /// No delivery may be under way, since the file gives it another id. A file without a place continues at the place of the previous
  /// outbox. The caller requests the events after the places of the file, reads its targets, and turns the deliveries of removed targets
  /// into dead letters. Events that the previous outbox has accepted are not queued again.
  ///
  /// - Throws: the error of the disk; the previous outbox then remains in use.
  func replaceOutbox(by file: any EventOutbox) throws {
    commit()
    var handled: [EventFeed: HandledEvents] = [:]
    for feed in EventFeed.allCases {
      handled[feed] = HandledEvents(start: feed == .config ? start : EventPlaces(), end: outbox.places(of: feed))
    }
    if hasQueued {
      try file.adopt(from: outbox) { event in event.place.map { handled[event.feed]?.contains($0) == true } ?? false }
    }
    let places = outbox.places(of: .config)
    outbox = file
    self.handled = handled
    unfinished = [:]
    hasFailed = false
    if file.places(of: .config).latest == nil, places.latest != nil { store(places) }
  }

  /// Returns the stored names of the entities that a target has announced to its broker and not cleared since.
  /// Nil if the disk fails.
  func announced(to target: String) -> Set<String>? {
    trying { try outbox.announced(to: target) }
  }

  /// Records the stored names of the entities that are announced to the broker of a target.
  func setAnnounced(_ names: Set<String>, to target: String) {
    trying { try outbox.setAnnounced(names, to: target) }
  }

  /// Changes the stored names of the entities that are announced to the broker of a target, if they can be read.
  func changeAnnounced(to target: String, _ change: (Set<String>) -> Set<String>) {
    guard let stored = announced(to: target) else { return }
    let new = change(stored)
    if new != stored { setAnnounced(new, to: target) }
  }

  /// Queues events, and returns the names of the targets with new deliveries.
  ///
  /// - Returns: `nil` if the disk fails. These and later events are refused until `resume`.
  func accept(_ events: [Event], of feed: EventFeed, age: (Event) -> Span, targets: (Event) -> [String]) -> Set<String>? {
    guard isComplete(feed) else { return nil }
    let handled = handled[feed]
    let touched = trying {
      try outbox.accept(events, of: feed, age: age) { event in
        event.place.map { handled?.contains($0) == true } == true ? [] : targets(event)
      }
    }
    if touched == nil { refused.insert(feed) }
    if touched?.isEmpty == false { hasQueued = true }
    return touched
  }

  /// Calls `body` with the names of the targets that have pending deliveries: at once, or later if the disk fails now.
  func readTargets(_ body: @escaping ([String]) -> Void) {
    attempt(.readTargets) { [unowned self] in body(try outbox.targets()) }
  }

  /// Turns the deliveries of removed targets into dead letters.
  func makeDeadLetters(unless isTarget: @escaping (String) -> Bool) {
    attempt(.makeDeadLetters) { [unowned self] in
      commit()
      let count = try outbox.makeDeadLetters(unless: isTarget)
      if count > 0 {
        let deliveries = Count.text(count, "delivery", plural: "deliveries")
        log.warning(
          "\(deliveries) to targets that are no longer in the configuration became dead letters; list them with \"beaconmon-notifier --outbox\""
        )
      }
    }
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

  /// The number of waiting deliveries of each target; empty if the disk fails.
  var waitingCounts: [(target: String, count: Int)] {
    commit()
    return trying { try outbox.waitingCounts() } ?? []
  }

  /// Returns the time that the oldest delivery of a target has waited; `nil` if none waits or the disk fails.
  func longestWait(of target: Target) -> Span? {
    guard let oldest = waiting(target, after: 0, limit: 1)?.first else { return nil }
    return max(.zero, target.policy.giveUp - (oldest.deadline - scheduler.now))
  }

  func settle(_ target: String, _ id: Int64, reason: String?) {
    settled.append((target, id, reason))
    if timer?.due == nil { timer?.arm(at: scheduler.now + Self.delay) }
  }

  /// Returns the next deliveries of a target; `nil` if the disk fails.
  func waiting(_ target: Target, after id: Int64, limit: Int) -> [Delivery]? {
    trying { try outbox.waiting(target.name, target.policy, after: id, limit: limit) }
  }

  /// Runs `body` now, and again after a pause until the disk does not fail.
  private func attempt(_ work: Work, _ body: @escaping () throws -> Void) {
    unfinished[work] = nil
    guard trying(body) == nil else { return }
    unfinished[work] = body
    workTimer?.arm(at: scheduler.now + Self.pause)
  }

  /// Runs `body`, and logs once that the disk fails and once that it works again.
  @discardableResult private func trying<Value>(_ body: () throws -> Value) -> Value? {
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

/// The events that an outbox has accepted, by their places in the journals.
private struct HandledEvents {
  /// The places after which the outbox began; nil before the daemon has reported them.
  let start: EventPlaces?
  /// The places of the last events.
  let end: EventPlaces

  func contains(_ place: EventPlace) -> Bool {
    guard let start, let last = end[place.journal] else { return false }
    return (start[place.journal] ?? 0) < place.sequence && place.sequence <= last
  }
}

extension Event {
  /// The feed that reports the event: only events of registered regions name an app.
  fileprivate var feed: EventFeed { appID == nil ? .config : .registered }
}
