import Instants

/// The parts of a fleet at one time, by the clock of the database.
public struct FleetObservation: Hashable, Sendable {
  /// A device that is enrolled and not revoked.
  public struct Device: Hashable, Sendable {
    public var site: String
    /// The name within the site.
    public var name: String
    /// The time of the newest message; without one, the time at which the device is expected to begin to send.
    public var heard: Instant
    /// Whether it has ever sent a message.
    public var hasSent = true
    /// The clock of the database less that of the device at this message.
    public var lag = Span.zero
    public var isClockSynchronised: Bool?
    public var freeSpace: UInt64?
    /// Whether two devices appear to use its identity.
    public var looksCloned = false
    /// A text with the fault and the remedy for each kind of refusals within the last day.
    public var refusals: [String] = []
    /// The end of its certificate; nil if it is unknown.
    public var certificateEnds: Instant?
    /// Whether its report has problems, so that it may receive no beacons.
    public var hasProblems = false

    public init(site: String, name: String, heard: Instant) { (self.site, self.name, self.heard) = (site, name, heard) }

    /// Site and name.
    public var fullName: String { "\(site).\(name)" }
  }

  /// A beacon with a name.
  public struct Beacon: Hashable, Sendable {
    public var site: String
    /// UUID, major and minor, separated by slashes.
    public var identity: String
    public var name: String
    /// The name within the site of the device that heard it last; nil if it is not enrolled.
    public var device: String?
    /// The time of the last packet.
    public var seen: Instant

    public init(site: String, identity: String, name: String, device: String?, seen: Instant) {
      (self.site, self.identity, self.name, self.device, self.seen) = (site, identity, name, device, seen)
    }
  }

  /// A disk of a machine of the hub.
  public struct Disk: Hashable, Sendable {
    public var machine: String
    public var path: String
    /// The free octets.
    public var free: UInt64
    /// The time of the measurement.
    public var measured: Instant

    public init(machine: String, path: String, free: UInt64, measured: Instant) {
      (self.machine, self.path, self.free, self.measured) = (machine, path, free, measured)
    }
  }

  /// A certificate of a machine of the hub.
  public struct Certificate: Hashable, Sendable {
    public var machine: String
    public var path: String
    public var ends: Instant

    public init(machine: String, path: String, ends: Instant) { (self.machine, self.path, self.ends) = (machine, path, ends) }
  }

  public var now: Instant
  /// The certificates of the machine that watches.
  public var certificates: [Certificate] = []
  public var devices: [Device]
  public var beacons: [Beacon]
  public var disks: [Disk]
  /// Whether a worker stores messages.
  public var hasWorkers: Bool
  /// The messages that wait in all queues; nil if this is unknown.
  public var backlog: Int?

  public init(
    now: Instant, devices: [Device] = [], beacons: [Beacon] = [], disks: [Disk] = [], hasWorkers: Bool = true, backlog: Int? = nil
  ) {
    (self.now, self.devices, self.beacons, self.disks) = (now, devices, beacons, disks)
    (self.hasWorkers, self.backlog) = (hasWorkers, backlog)
  }
}
