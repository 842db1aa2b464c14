import DeliveryScheduling
import Events
import Notification
import TestSupport

/// A daemon with journals, which a test stops and starts.
final class FakeLink: MonitorLink {
  private final class Watch {
    let body: (Bool) -> Void
    init(_ body: @escaping (Bool) -> Void) { self.body = body }
  }

  private final class Follower {
    let feed: EventFeed
    var places: EventPlaces
    var isCaughtUp = false
    let body: (FeedStep) -> Void

    init(_ feed: EventFeed, _ places: EventPlaces, _ body: @escaping (FeedStep) -> Void) {
      (self.feed, self.places, self.body) = (feed, places, body)
    }
  }

  private struct Weak<Object: AnyObject> { weak var object: Object? }

  /// The answer to a request for states; the last one repeats.
  var states: [Result<[RegionStateReport], MonitorFailure>] = [.success([])]
  private(set) var stateRequests = 0
  /// The failure of each request for last events; nil while they succeed.
  var journalFailure: MonitorFailure?
  private(set) var isAvailable = true
  private var history: [EventFeed: [Event]] = [:]
  private var watches: [Weak<Watch>] = []
  private var followers: [Weak<Follower>] = []
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) {
    self.scheduler = scheduler
  }

  /// The feeds that are followed now.
  var followed: [EventFeed] { followers.compactMap(\.object).map(\.feed) }

  func watchPresence(_ body: @escaping (Bool) -> Void) -> AnyObject {
    let watch = Watch(body)
    watches.append(Weak(object: watch))
    scheduler.enqueue { [isAvailable, weak watch] in watch?.body(isAvailable) }
    return watch
  }

  func follow(_ feed: EventFeed, from places: EventPlaces, _ body: @escaping (FeedStep) -> Void) -> AnyObject {
    let follower = Follower(feed, places, body)
    if places.latest == nil, feed == .config {
      follower.places.note(history[feed]?.last?.place ?? EventPlace(journal: "j", sequence: 0))
    }
    followers.append(Weak(object: follower))
    scheduler.enqueue { [weak self, weak follower] in follower.map { self?.catchUp($0) } }
    return follower
  }

  func requestStates(_ completion: @escaping (Result<[RegionStateReport], MonitorFailure>) -> Void) {
    stateRequests += 1
    let answer = states.count > 1 ? states.removeFirst() : states[0]
    scheduler.enqueue { completion(answer) }
  }

  func requestLastEvents(of regions: Set<String>, _ completion: @escaping (Result<[Event], MonitorFailure>) -> Void) {
    if let journalFailure { return scheduler.enqueue { completion(.failure(journalFailure)) } }
    let events = regions.compactMap { region in history[.config]?.last { $0.region == region } }
    scheduler.enqueue { completion(.success(events)) }
  }

  /// Puts an event into the journal, and sends it to the followers.
  func report(_ event: Event, of feed: EventFeed = .config) {
    history[feed, default: []].append(event)
    for follower in followers.compactMap(\.object) where isAvailable && follower.isCaughtUp && follower.feed == feed {
      send([event], to: follower)
    }
  }

  func stop() {
    isAvailable = false
    for follower in followers.compactMap(\.object) { follower.isCaughtUp = false }
    for watch in watches.compactMap(\.object) { watch.body(false) }
  }

  func start() {
    isAvailable = true
    for watch in watches.compactMap(\.object) { watch.body(true) }
    for follower in followers.compactMap(\.object) { catchUp(follower) }
  }

  func fail(_ reason: String) {
    for follower in followers.compactMap(\.object) { follower.body(.trouble(reason)) }
  }

  /// Reports whether the user consents to registered regions.
  func report(consent isGiven: Bool) {
    for follower in followers.compactMap(\.object) where follower.feed == .registered { follower.body(.consent(isGiven: isGiven)) }
  }

  private func catchUp(_ follower: Follower) {
    guard isAvailable else { return }
    let missed = (history[follower.feed] ?? []).filter { event in
      event.place.map { place in follower.places[place.journal].map { $0 < place.sequence } ?? true } ?? false
    }
    if !missed.isEmpty { send(missed, to: follower) }
    follower.isCaughtUp = true
    follower.body(.caughtUp(follower.places))
  }

  private func send(_ events: [Event], to follower: Follower) {
    for event in events { if let place = event.place { follower.places.note(place) } }
    follower.body(.events(events))
  }
}
