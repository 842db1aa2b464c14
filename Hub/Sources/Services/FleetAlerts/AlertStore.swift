import Alerts
import DeliveryScheduling
import EventActions
import Instants

/// The alerts of a fleet on disk. Every call that throws ends its use: another store is opened instead.
public protocol AlertStore: AnyObject {
  /// Returns whether this process decides and delivers; another one does otherwise.
  ///
  /// The right ends with the link to the database, and so with any failure of a call.
  func lead() throws -> Bool
  /// Stores the free space of disks of this machine.
  func note(_ disks: [DiskSpace], on machine: String) throws
  /// Returns the open alerts, and the periods in which the parts of the fleet were heard.
  func load() throws -> (open: [OpenAlert], record: PresenceRecord)
  /// Returns the state of the fleet, without backlogs.
  func observe() throws -> FleetObservation
  /// Returns the active mutes.
  func mutes() throws -> [AlertMute]
  /// Stores changes, events and deliveries in one transaction, and returns the numbers of the alerts that are new.
  func write(_ batch: AlertBatch) throws -> [AlertKey: Int64]
  /// Returns the next deliveries of a target, in order.
  ///
  /// - Parameter now: the time of the clock of deadlines
  func waiting(_ target: Target, after id: Int64, limit: Int, now: Instant) throws -> [Delivery]
  /// Removes deliveries. Those with a reason become dead letters.
  func settle(_ settled: [SettledDelivery]) throws
  /// Turns the deliveries of other targets into dead letters, and returns their number.
  func makeDeadLetters(except targets: [String]) throws -> Int
}

/// The free space of a disk.
public struct DiskSpace: Hashable, Sendable {
  public var path: String
  /// The free octets; nil if the folder cannot be examined.
  public var free: UInt64?

  public init(path: String, free: UInt64?) { (self.path, self.free) = (path, free) }
}

/// A delivery that needs no further attempt.
public struct SettledDelivery: Hashable, Sendable {
  public var target: String
  public var id: Int64
  /// The reason of a failure.
  public var reason: String?

  public init(target: String, id: Int64, reason: String?) { (self.target, self.id, self.reason) = (target, id, reason) }
}

/// The changes of a check.
public struct AlertBatch: Hashable, Sendable {
  /// An event for targets.
  public struct Announcement: Hashable, Sendable {
    public var alert: OpenAlert
    /// The end of the problem; nil for its beginning.
    public var end: (Instant, text: String)?
    public var targets: [String]

    public init(alert: OpenAlert, end: (Instant, text: String)? = nil, targets: [String]) {
      (self.alert, self.end, self.targets) = (alert, end, targets)
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.alert == b.alert && a.end?.0 == b.end?.0 && a.end?.text == b.end?.text && a.targets == b.targets
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(alert) }
  }

  public var record = PresenceRecord()
  public var changes: [AlertChange] = []
  public var announcements: [Announcement] = []

  public init() {}
}
