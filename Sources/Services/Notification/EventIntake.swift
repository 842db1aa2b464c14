import DeliveryScheduling
import Events
import Instants
import Logging
import Scheduling

/// Moves the events of one feed into the outbox.
///
/// The intake follows the feed from the place up to which all events are stored, and returns to it after the disk refused some.
final class EventIntake {
  /// Runs when the present states have to be requested.
  ///
  /// All missed events are stored then, or some cannot be stored.
  var onStatesNeeded: () -> Void = {}

  /// Runs when it is known whether the user consents to the events of registered regions, and at each change.
  var onConsentChange: (_ isGiven: Bool) -> Void = { _ in }

  private let feed: EventFeed
  private let scheduler: any Scheduler
  private let link: any MonitorLink
  private let batcher: OutboxBatcher
  private let dispatcher: DeliveryDispatcher
  /// Returns whether the wall clock is synchronized.
  private let isClockSet: () -> Bool
  private let log: Logger
  private var following: AnyObject?
  private var timer: (any SchedulerTimer)?
  /// Whether new events happen now; otherwise they are fetched from the past.
  private var isLive: Bool
  /// Whether the log says that the notifier waits for events.
  private var hasLoggedReadiness = false

  init(
    _ feed: EventFeed, _ scheduler: any Scheduler, _ link: any MonitorLink, _ batcher: OutboxBatcher, _ dispatcher: DeliveryDispatcher,
    isClockSet: @escaping () -> Bool, log: Logger
  ) {
    self.feed = feed
    self.scheduler = scheduler
    self.link = link
    self.batcher = batcher
    self.dispatcher = dispatcher
    self.isClockSet = isClockSet
    self.log = log
    isLive = Self.isLive(feed, batcher)
    timer = scheduler.timer { [unowned self] in follow() }
  }

  /// A notifier that has never received an event of the config begins now, without old events.
  private static func isLive(_ feed: EventFeed, _ batcher: OutboxBatcher) -> Bool {
    feed == .config && batcher.places(of: feed).latest == nil
  }

  var isFollowing: Bool { following != nil }

  /// Follows events from the place up to which all are in the outbox.
  func follow() {
    following = link.follow(feed, from: batcher.resume(feed)) { [unowned self] step in
      switch step {
      case .events(let events): accept(events)
      case .caughtUp(let places): caughtUp(places)
      case .consent(let isGiven): onConsentChange(isGiven)
      case .trouble(let reason):
        lost()
        log.warning("beaconmond does not report \(feed.events): \(reason)")
      }
    }
  }

  /// Follows events from the place of another outbox. Call this after the batcher replaced the outbox.
  func outboxChanged() {
    isLive = Self.isLive(feed, batcher)
    // An intake that waits for the disk follows soon.
    if isFollowing { follow() }
  }

  /// Call when the daemon disappears.
  func lost() {
    isLive = false
    hasLoggedReadiness = false
  }

  private func caughtUp(_ places: EventPlaces) {
    guard batcher.isComplete(feed) else { return }
    // From here on no event is missed, even if either program restarts. The feed of registered regions begins with its first event anyway.
    if feed == .config { batcher.begin(at: places) }
    // Events of registered regions can be late at any time, because consent withholds and releases them.
    isLive = feed == .config
    if !hasLoggedReadiness { log.info("beaconmond is running; waiting for \(feed.awaited)") }
    hasLoggedReadiness = true
    onStatesNeeded()
  }

  private func accept(_ batch: [Event]) {
    for event in batch { if let notice = event.damageNotice { log.error("\(notice)") } }
    let ages = EventAges(isLive ? [] : batch, at: scheduler.wallClock, isClockSet: isClockSet())
    guard !dispatcher.accept(batch, of: feed, isLive: isLive, age: ages.age) else { return }
    // The disk fails, so the events are requested again from the stored place; not inside the feed's own callback, which still uses it.
    isLive = false
    scheduler.enqueue { [weak self] in self?.following = nil }
    timer?.arm(at: scheduler.now + OutboxBatcher.pause)
    onStatesNeeded()
  }
}

extension EventFeed {
  /// The events in the log as the object of a sentence about the daemon.
  fileprivate var events: String {
    switch self {
    case .config: "its events"
    case .registered: "events of registered regions"
    }
  }

  fileprivate var awaited: String {
    switch self {
    case .config: "events"
    case .registered: "events of registered regions"
    }
  }
}

extension Event {
  /// The log line in place of a delivery; nil unless the event is damaged.
  fileprivate var damageNotice: String? {
    damagedEvents.map { "\($0) of journal \(journal ?? "") cannot be recovered and will not be delivered" }
  }
}
