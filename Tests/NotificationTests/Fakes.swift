import DeliveryScheduling
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
  var isOnDisk = true
  /// Whether the names of announced entities cannot be read.
  var cannotRead = false
  /// The places on the disk.
  private(set) var stored: [EventFeed: EventPlaces] = [:]
  private(set) var deadLetters: [DeadLetter] = []
  /// The stored names of announced entities.
  var announced: [String: Set<String>] = [:]
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

  func makeDeadLetters(unless isTarget: (String) -> Bool) throws -> Int {
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

  func queuedEvents(after id: Int64, limit: Int) throws -> [QueuedEvent] {
    try write()
    let ids = Set(rows.map(\.id)).filter { $0 > id }.sorted().prefix(limit)
    return ids.map { id in
      let rows = rows.filter { $0.id == id }
      return QueuedEvent(id: id, rows[0].event, waited: scheduler.now - rows[0].queued, age: rows[0].age, targets: rows.map(\.target))
    }
  }

  func adopt(from other: any EventOutbox, isHandled: (Event) -> Bool) throws {
    try write()
    rows.removeAll { isHandled($0.event) }
    for event in try other.queuedEvents(after: 0, limit: .max) {
      lastID += 1
      let queued = scheduler.now - event.waited
      rows += event.targets.map { Row(id: lastID, target: $0, event: event.event, queued: queued, age: event.age) }
    }
  }

  func announced(to target: String) throws -> Set<String> {
    if cannotRead { throw DiskFull() }
    return announced[target] ?? []
  }

  func setAnnounced(_ names: Set<String>, to target: String) throws {
    try write()
    announced[target] = names
  }
}

/// An outbox file that cannot be opened until a test repairs it.
final class FakeOutboxFile: OutboxFile {
  let failure = "disk missing; mount it"
  var result = OutboxOpening.failed
  /// The number of attempts to open the file.
  private(set) var attempts = 0

  func open() -> OutboxOpening {
    attempts += 1
    return result
  }
}

/// Creates targets that answer as a test says.
final class FakeFactory: DeliveryTargetFactory {
  var parallelCommands = 0
  /// The answer of a target; nil for a target that does not answer.
  var answer: (_ target: String, Delivery) -> DeliveryOutcome? = { _, _ in .delivered }
  /// The name of a target that cannot be created.
  var broken: String?
  /// The place of the entities that an earlier version announced.
  var formerPlace = DiscoveryPlace(prefix: "ha", base: "base", device: "d")
  /// The secret of all targets.
  var secret = "first"
  /// The attempts of all targets in their order.
  private(set) var attempts: [(target: String, sequence: UInt64)] = []
  /// The names of the created targets in their order.
  private(set) var made: [String] = []
  /// The completions of the attempts without an answer.
  private var pending: [(DeliveryOutcome) -> Void] = []
  private(set) var brokers: [String: FakeBroker] = [:]
  private(set) var hub: FakeHub?
  private let scheduler: ManualScheduler

  init(_ scheduler: ManualScheduler) {
    self.scheduler = scheduler
  }

  func attempts(_ target: String) -> [UInt64] { attempts.filter { $0.target == target }.map(\.sequence) }

  func prepare(_ target: Target, announcements: @escaping () -> Announcement) throws(Failure) -> PreparedTarget {
    if target.name == broken { throw Failure(.config, "target \(target.name): no secret") }
    let connection = target.name.hasPrefix("webhook") ? nil : AnyHashable(secret)
    return PreparedTarget(connection: connection) { [unowned self] in make(target, announcements) }
  }

  private func make(_ target: Target, _ announcements: @escaping () -> Announcement) -> any DeliveryTarget {
    made.append(target.name)
    if case .hub = target.means {
      let hub = FakeHub(scheduler)
      hub.onDelivery = { [unowned self] in deliver($0, "hub", $1) }
      self.hub = hub
      return hub
    }
    guard target.name.hasPrefix("broker") else { return Place(self, target.name) }
    let broker = FakeBroker(self, target.name, announcements)
    brokers[target.name] = broker
    return broker
  }

  fileprivate func deliver(_ delivery: Delivery, _ target: String, _ completion: @escaping (DeliveryOutcome) -> Void) {
    attempts.append((target, delivery.event.sequence))
    guard let outcome = answer(target, delivery) else { return pending.append(completion) }
    scheduler.enqueue { completion(outcome) }
  }

  /// Answers the attempts that have no answer yet.
  func answerPending(_ outcome: DeliveryOutcome) {
    for completion in pending { scheduler.enqueue { completion(outcome) } }
    pending = []
  }

  class Place: DeliveryTarget {
    private let factory: FakeFactory
    private let name: String
    /// The number of attempts of all targets.
    var attemptCount: Int { factory.attempts.count }

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
  let topics = TopicTree(base: "base")
  let home: HomeAssistant? = HomeAssistant(
    prefix: "ha", topics: TopicTree(base: "base"), device: "d", deviceName: "Device", version: "1")
  let formerPlace: DiscoveryPlace
  var isCurrent = false {
    didSet { if isCurrent != oldValue { changes.append(topics.status(isOnline: isCurrent)) } }
  }
  /// The last announcement.
  private(set) var announcement = Announcement.none
  private(set) var announced: [Publication] = []
  /// The number of announcements.
  private(set) var announcementCount = 0
  /// All messages after the first announcement, in their order.
  private(set) var changes: [Publication] = []
  private(set) var reconnects = 0
  /// Whether the broker takes readings.
  var isCongested = false
  private let announcements: () -> Announcement

  init(_ factory: FakeFactory, _ name: String, _ announcements: @escaping () -> Announcement) {
    self.announcements = announcements
    formerPlace = factory.formerPlace
    super.init(factory, name)
  }

  func announce() {
    announcement = announcements()
    announced = Array(announcement.messages)
    announcementCount += 1
    changes += announced
  }

  func publish(_ publications: [Publication]) { changes += publications }

  func report(_ publications: [Publication]) -> Bool {
    if !isCongested { changes += publications }
    return !isCongested
  }

  func reconnect() { reconnects += 1 }

  /// The payloads of a topic in their order.
  func payloads(_ topic: String) -> [String] { changes.filter { $0.topic == topic }.map(\.payload) }

  func forgetChanges() { changes = [] }
}
