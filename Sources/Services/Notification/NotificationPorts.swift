import DeliveryScheduling
import EventActions
import Events
import Failures
import Instants
import Publishing
import Regions

/// The events that wait for delivery, with their targets and the places in the journals up to which they are stored.
///
/// A change is complete when its call returns, and has no effect when it throws.
public protocol EventOutbox: AnyObject {
  /// Whether the deliveries survive the process.
  var isOnDisk: Bool { get }
  /// Returns the places up to which the events of a feed are queued.
  func places(of feed: EventFeed) -> EventPlaces
  /// Queues events in one commit in their order, moves the place after them, and skips events before the place.
  ///
  /// - Parameters:
  ///   - age: the current age of an event.
  ///   - targets: the names of the targets of an event.
  /// - Returns: the names of the targets with new deliveries.
  func accept(_ events: [Event], of feed: EventFeed, age: (Event) -> Span, targets: (Event) -> [String]) throws -> Set<String>
  /// Records the places at which to begin with the events of the config.
  ///
  /// The places hold in this process even if this throws; another call stores them.
  func begin(at start: EventPlaces) throws

  /// Returns the next deliveries of a target, in order.
  func waiting(_ target: String, _ policy: DeliveryPolicy, after id: Int64, limit: Int) throws -> [Delivery]
  /// Removes settled deliveries in one commit. Deliveries with a `reason` become dead letters.
  func settle(_ settled: [(target: String, id: Int64, reason: String?)]) throws
  /// Turns the deliveries of removed targets into dead letters, and returns their number.
  func makeDeadLetters(unless isTarget: (String) -> Bool) throws -> Int
  /// Returns the names of the targets with waiting deliveries.
  func targets() throws -> [String]
  /// Returns the number of waiting deliveries of each target.
  func waitingCounts() throws -> [(target: String, count: Int)]

  /// Returns the events with waiting deliveries, in order.
  func queuedEvents(after id: Int64, limit: Int) throws -> [QueuedEvent]
  /// Takes over the waiting deliveries of another outbox, in their order and in one commit. The places do not change.
  ///
  /// - Parameter isHandled: whether the other outbox has accepted an event. Waiting deliveries of such events in this outbox are removed,
  ///   because the other outbox has made them or hands them over.
  func adopt(from other: any EventOutbox, isHandled: (Event) -> Bool) throws

  /// Returns the stored names of the entities that were announced to the broker of a target, and not cleared since.
  func announced(to target: String) throws -> Set<String>
  /// Records the stored names of the entities that are announced to the broker of a target.
  func setAnnounced(_ names: Set<String>, to target: String) throws
}

/// An event with waiting deliveries.
public struct QueuedEvent: Sendable {
  public let id: Int64
  public let event: Event
  /// The time since the event was queued.
  public let waited: Span
  /// The age of the event when it was queued.
  public let age: Span
  public let targets: [String]

  public init(id: Int64, _ event: Event, waited: Span, age: Span, targets: [String]) {
    (self.id, self.event, self.waited, self.age, self.targets) = (id, event, waited, age, targets)
  }
}

/// An outbox file that could not be opened when the notifier started.
public protocol OutboxFile: AnyObject {
  /// The reason why the file could not be opened, and advice.
  var failure: String { get }
  /// Opens the file now.
  func open() -> OutboxOpening
}

/// The result of an attempt to open an outbox file.
public enum OutboxOpening {
  case opened(any EventOutbox)
  /// The disk still fails. Another attempt may succeed.
  case failed
  /// The content cannot be read, for this reason. Another attempt is useless.
  case unreadable(String)
}

/// Creates working targets from their configuration.
public protocol DeliveryTargetFactory: AnyObject {
  /// The maximum number of commands that run at once.
  var parallelCommands: Int { get set }

  /// Prepares a working target; throws for a secret that cannot be read.
  ///
  /// - Parameter announcements: returns the messages that a broker receives with every connection.
  func prepare(_ target: Target, announcements: @escaping () -> Announcement) throws(Failure) -> PreparedTarget
}

/// A working target that can be created, because its secrets are known.
public struct PreparedTarget {
  /// The settings and secrets of the connection that the target keeps; nil for a target without one.
  ///
  /// A working target with the same ones continues, because a new one would interrupt its connection.
  public let connection: AnyHashable?
  /// Creates the target.
  public let make: () -> any DeliveryTarget

  public init(connection: AnyHashable? = nil, _ make: @escaping () -> any DeliveryTarget) {
    (self.connection, self.make) = (connection, make)
  }
}

/// The connection to the daemon, which lasts across restarts of the daemon and of the bus.
public protocol MonitorLink: AnyObject {
  /// Calls `body` when the daemon's presence is known, and at each change, while the returned object is held.
  func watchPresence(_ body: @escaping (Bool) -> Void) -> AnyObject
  /// Follows the events after `places`, without gap and in order, while the returned object is held.
  ///
  /// Without a place, the feed of the config begins with the next event, and that of registered regions with the oldest. `body` is never
  /// called inside this call.
  func follow(_ feed: EventFeed, from places: EventPlaces, _ body: @escaping (FeedStep) -> Void) -> AnyObject
  /// Requests the states of the config's regions.
  func requestStates(_ completion: @escaping (Result<[RegionStateReport], MonitorFailure>) -> Void)
  /// Requests the last event of each of these regions, as far as the journal's newest events contain it.
  ///
  /// - Parameter completion: receives no event of a region that has none there.
  func requestLastEvents(of regions: Set<String>, _ completion: @escaping (Result<[Event], MonitorFailure>) -> Void)
}

public enum FeedStep {
  /// Missed or new events, in order.
  case events([Event])
  /// All missed events were delivered. The places are those after the last event.
  case caughtUp(EventPlaces)
  /// Whether the user consents to the events of registered regions, when this is known and at each change.
  case consent(isGiven: Bool)
  /// The daemon fails to answer, for this reason. The feed retries until the daemon answers.
  case trouble(String)
}

/// The reason why the daemon does not answer.
public struct MonitorFailure: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}

/// The state of a region, and the beacon that decided it.
public struct RegionStateReport: Hashable, Sendable {
  public let region: String
  public let state: RegionState
  public let beacon: Event.Beacon?

  public init(region: String, state: RegionState, beacon: Event.Beacon?) {
    self.region = region
    self.state = state
    self.beacon = beacon
  }
}
