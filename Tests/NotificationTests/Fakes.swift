import Deliveries
import EventActions
import Events
import Failures
import Instants
import Notification
import Publishing
import TestSupport

/// An outbox whose disk a test lets fail. Its content survives the services that use it.
final class FakeOutbox: EventOutbox {
  struct DiskFull: Error, CustomStringConvertible { let description = "disk full" }

  struct DeadLetter: Equatable {
    let target: String
    let sequence: UInt64
    let reason: String
  }

  private struct Row {
    let id: Int64
    let target: String
    let event: Event
    let queued: Instant
    let age: Span
  }

  var isFailing = false
  /// The places on the disk.
  private(set) var stored: [EventFeed: EventPlaces] = [:]
  private(set) var deadLetters: [DeadLetter] = []
  private(set) var announced: [String: Set<String>] = [:]
  private var rows: [Row] = []
  private var lastID: Int64 = 0
  /// The places that hold in this process only.
  private var reached: [EventFeed: EventPlaces] = [:]
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) {
    self.scheduler = scheduler
  }

  /// Forgets the state of the process, as a restart does.
  func reopen() { reached = stored }

  /// The sequences of the waiting events of a target.
  func sequences(_ target: String) -> [UInt64] { rows.filter { $0.target == target }.map(\.event.sequence) }

  private func write() throws(DiskFull) {
    if isFailing { throw DiskFull() }
  }

  func places(of feed: EventFeed) -> EventPlaces { reached[feed] ?? EventPlaces() }

  func accept(_ events: [Event], of feed: EventFeed, age: (Event) -> Span, targets: (Event) -> [String]) throws -> Set<String> {
    try write()
    var (touched, places) = (Set<String>(), places(of: feed))
    for event in events {
      guard let place = event.place, places[place.journal].map({ $0 < place.sequence }) ?? true else { continue }
      places.note(place)
      lastID += 1
      for name in targets(event) {
        rows.append(Row(id: lastID, target: name, event: event, queued: scheduler.now, age: age(event)))
        touched.insert(name)
      }
    }
    (reached[feed], stored[feed]) = (places, places)
    return touched
  }

  func begin(at start: EventPlaces) throws {
    reached[.config] = start
    try write()
    stored[.config] = start
  }

  func waiting(_ target: String, _ policy: DeliveryPolicy, after id: Int64, limit: Int) throws -> [Delivery] {
    try write()
    return rows.filter { $0.target == target && $0.id > id }.prefix(limit).map { row in
      Delivery(
        id: row.id, message: "\(row.event.sequence)", event: row.event, json: row.event.json, deadline: row.queued + policy.giveUp,
        expiry: policy.maximumAge.map { row.queued + $0 - row.age } ?? .never)
    }
  }

  func settle(_ settled: [(target: String, id: Int64, reason: String?)]) throws {
    try write()
    for (target, id, reason) in settled {
      guard let index = rows.firstIndex(where: { $0.target == target && $0.id == id }) else { continue }
      let row = rows.remove(at: index)
      if let reason { deadLetters.append(DeadLetter(target: target, sequence: row.event.sequence, reason: reason)) }
    }
  }

  func bury(unless isTarget: (String) -> Bool) throws -> Int {
    try write()
    let gone = rows.filter { !isTarget($0.target) }
    rows.removeAll { !isTarget($0.target) }
    deadLetters += gone.map { DeadLetter(target: $0.target, sequence: $0.event.sequence, reason: "removed") }
    return gone.count
  }

  func targets() throws -> [String] {
    try write()
    return Set(rows.map(\.target)).sorted()
  }

  func waitingCounts() throws -> [(target: String, count: Int)] {
    try targets().map { ($0, sequences($0).count) }
  }

  func announce(_ regions: Set<String>, to target: String) throws -> Set<String> {
    try write()
    defer { announced[target] = regions }
    return (announced[target] ?? []).subtracting(regions)
  }
}

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
  var standings: [Result<[RegionStanding], MonitorFailure>] = [.success([])]
  private(set) var stateRequests = 0
  private(set) var isThere = true
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
    scheduler.enqueue { [isThere, weak watch] in watch?.body(isThere) }
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

  func requestStates(_ completion: @escaping (Result<[RegionStanding], MonitorFailure>) -> Void) {
    stateRequests += 1
    let answer = standings.count > 1 ? standings.removeFirst() : standings[0]
    scheduler.enqueue { completion(answer) }
  }

  /// Puts an event into the journal, and sends it to the followers.
  func report(_ event: Event, of feed: EventFeed = .config) {
    history[feed, default: []].append(event)
    for follower in followers.compactMap(\.object) where isThere && follower.isCaughtUp && follower.feed == feed {
      send([event], to: follower)
    }
  }

  func stop() {
    isThere = false
    for follower in followers.compactMap(\.object) { follower.isCaughtUp = false }
    for watch in watches.compactMap(\.object) { watch.body(false) }
  }

  func start() {
    isThere = true
    for watch in watches.compactMap(\.object) { watch.body(true) }
    for follower in followers.compactMap(\.object) { catchUp(follower) }
  }

  func fail(_ reason: String) {
    for follower in followers.compactMap(\.object) { follower.body(.trouble(reason)) }
  }

  private func catchUp(_ follower: Follower) {
    guard isThere else { return }
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

/// Creates targets that answer as a test says.
final class FakeFactory: DeliveryTargetFactory {
  var parallelCommands = 0
  /// The answer of a target; nil for a target that does not answer.
  var answer: (_ target: String, Delivery) -> DeliveryOutcome? = { _, _ in .delivered }
  /// The name of a target that cannot be created.
  var broken: String?
  /// The attempts of all targets in their order.
  private(set) var attempts: [(target: String, sequence: UInt64)] = []
  /// The names of the created targets in their order.
  private(set) var made: [String] = []
  private(set) var brokers: [String: FakeBroker] = [:]
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) {
    self.scheduler = scheduler
  }

  func attempts(_ target: String) -> [UInt64] { attempts.filter { $0.target == target }.map(\.sequence) }

  func make(_ target: Target, announcements: @escaping Announcements) throws(Failure) -> any DeliveryTarget {
    if target.name == broken { throw Failure(.config, "target \(target.name): no secret") }
    made.append(target.name)
    guard target.name.hasPrefix("broker") else { return Place(self, target.name) }
    let broker = FakeBroker(self, target.name, announcements)
    brokers[target.name] = broker
    return broker
  }

  fileprivate func deliver(_ delivery: Delivery, _ target: String, _ completion: @escaping (DeliveryOutcome) -> Void) {
    attempts.append((target, delivery.event.sequence))
    guard let outcome = answer(target, delivery) else { return }
    scheduler.enqueue { completion(outcome) }
  }

  class Place: DeliveryTarget {
    private let factory: FakeFactory
    private let name: String

    init(_ factory: FakeFactory, _ name: String) {
      (self.factory, self.name) = (factory, name)
    }

    func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void) {
      factory.deliver(delivery, name, completion)
    }
  }
}

/// A broker that takes the announcements whenever they have changed.
final class FakeBroker: FakeFactory.Place, StateTarget {
  var isMonitorThere = false
  private(set) var announced: [Publication] = []
  private let announcements: FakeFactory.Announcements

  init(_ factory: FakeFactory, _ name: String, _ announcements: @escaping FakeFactory.Announcements) {
    self.announcements = announcements
    super.init(factory, name)
  }

  func announce() { announced = Array(announcements(TopicTree(base: "base"), nil)) }
}
