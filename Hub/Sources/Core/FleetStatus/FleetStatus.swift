/// The state of a fleet as `beaconmon-hub status` shows it.
public struct FleetStatus: Hashable, Sendable {
  public struct Device: Hashable, Sendable {
    /// Site and name, such as `berlin.door`.
    public var name: String
    /// Seconds since the last message; nil if there was none.
    public var silence: Int64?
    /// Seconds between the clock of the device and that of the hub at the last message, with the time of transport.
    public var lag: Int64?
    public var version: String?
    public var revision: Int64?
    /// The count of numbers that the device still stores, and that have not arrived although higher ones have.
    public var missing: Int64
    /// Events and digests that will not arrive.
    public var lost: Int64
    /// Messages that were refused, by reason.
    public var refused: [String: Int64]
    /// The count of refused messages in the table `refused_event`.
    public var setAside: Int64
    public var isRevoked: Bool
    /// Whether two devices appear to use this identity.
    public var looksCloned: Bool
    /// Whether it should have sent something by now.
    public var isSilent = false
    /// The names of what the hub has found, as in the view `device_overview`, such as `clock-behind`.
    public var findings: [String] = []
    /// The reasons of refusals within the last day that need attention, each with its remedy.
    public var recentRefusals: [String: String] = [:]
    /// The SHA-256 of the keys and values in use, as hexadecimal digits; nil before the first report.
    public var configuration: String?
    /// The rollout that the device reported last.
    public var rollout: DeviceRollout?
    /// Seconds since the device was enrolled for the last time.
    public var enrolled: Int64?
    /// Seconds until its certificate ends; nil if the end is unknown.
    public var certificate: Int64?
    /// Seconds since the time at which it is expected to begin to send; nil if that is its enrolment.
    public var expected: Int64?
    /// The newest report; nil before the first one.
    public var health: DeviceHealth?

    public init(
      name: String, silence: Int64?, lag: Int64?, version: String?, revision: Int64?, missing: Int64, lost: Int64, refused: [String: Int64],
      setAside: Int64, isRevoked: Bool, looksCloned: Bool
    ) {
      (self.name, self.silence, self.lag, self.version, self.revision) = (name, silence, lag, version, revision)
      (self.missing, self.lost, self.refused, self.setAside) = (missing, lost, refused, setAside)
      (self.isRevoked, self.looksCloned) = (isRevoked, looksCloned)
    }
  }

  public struct Queue: Hashable, Sendable {
    public var number: Int
    /// The worker that owns the queue or will own it in some seconds, otherwise the last owner; nil without one.
    public var worker: String?
    /// Whether this worker runs.
    public var isOwned: Bool
    /// Whether the queue is in the share of the worker, which does not own it yet.
    public var isIdle: Bool
    /// Messages that wait at the broker; nil if the broker was not asked.
    public var backlog: Int?
    /// Seconds since the newest message of the devices of the queue; nil if there is none.
    public var newest: Int64?

    public init(number: Int, worker: String?, isOwned: Bool, isIdle: Bool = false, backlog: Int?) {
      (self.number, self.worker, self.isOwned, self.isIdle, self.backlog) = (number, worker, isOwned, isIdle, backlog)
    }
  }

  /// An alert that is open.
  public struct Alert: Hashable, Sendable {
    public var id: Int64
    public var kind: String
    public var text: String
    /// Seconds since it was opened.
    public var age: Int64
    /// Whether a mute keeps it from targets.
    public var isMuted: Bool

    public init(id: Int64, kind: String, text: String, age: Int64, isMuted: Bool) {
      (self.id, self.kind, self.text, self.age, self.isMuted) = (id, kind, text, age, isMuted)
    }
  }

  /// A kind of data that expires.
  public struct Retention: Hashable, Sendable {
    public var kind: String
    public var hours: Int
    /// Seconds since the start of the oldest partition; nil for a kind without partitions.
    public var oldest: Int64?
    /// Octets of the partitions.
    public var size: Int64?
    /// Seconds since the last run that removed all expired data; nil before the first.
    public var checked: Int64?
    /// The reason why the last run failed.
    public var failure: String?

    public init(kind: String, hours: Int, oldest: Int64?, size: Int64?, checked: Int64?, failure: String?) {
      (self.kind, self.hours, self.oldest, self.size, self.checked, self.failure) = (kind, hours, oldest, size, checked, failure)
    }
  }

  public var devices: [Device]
  /// The newest outage of each part within a day.
  public var outages: [Outage] = []
  /// The disks of the hub.
  public var disks: [Disk] = []
  /// The certificates of this machine; empty if the broker was not asked.
  public var certificates: [Certificate] = []
  public var queues: [Queue]
  public var retention: [Retention]
  /// The open alerts, the oldest first.
  public var alerts: [Alert]
  /// Whether a process watches the fleet for alerts.
  public var isWatched: Bool
  /// Deliveries of alerts that were given up.
  public var failedDeliveries: Int64
  /// The newest rollouts, the newest first.
  public var rollouts: [Rollout]
  /// Messages without an enrolled sender that were refused, by reason, with the last one.
  public var unattributed: [String: UnattributedRefusals]
  /// The count of messages without an enrolled sender in the table `refused_event`.
  public var setAside: Int64
  /// The size of the database in octets.
  public var databaseSize: Int64

  public struct UnattributedRefusals: Hashable, Sendable {
    public var messages: Int64
    public var detail: String

    public init(messages: Int64, detail: String) { (self.messages, self.detail) = (messages, detail) }
  }

  public init(
    devices: [Device], queues: [Queue], alerts: [Alert] = [], isWatched: Bool = false, failedDeliveries: Int64 = 0,
    rollouts: [Rollout] = [], unattributed: [String: UnattributedRefusals], setAside: Int64 = 0, databaseSize: Int64,
    retention: [Retention] = []
  ) {
    (self.devices, self.queues, self.unattributed) = (devices, queues, unattributed)
    (self.setAside, self.databaseSize, self.retention) = (setAside, databaseSize, retention)
    (self.alerts, self.isWatched, self.failedDeliveries, self.rollouts) = (alerts, isWatched, failedDeliveries, rollouts)
  }
}
