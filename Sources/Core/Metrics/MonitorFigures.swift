import Events
import Instants
import Records

/// Figures of the daemon that its status does not have.
public struct MonitorFigures: Sendable {
  /// The beacons that the engine knows at present.
  public var beacons = 0
  /// The events since the start by kind, of all regions.
  public var events: [Event.Kind: Int] = [:]
  /// The events that are in the journal only, because the bus did not take them.
  public var unsentEvents = 0
  public var sessions = 0
  /// The connections that have sessions.
  public var clients = 0
  /// The octets of the journal's files; nil without a file.
  public var journalSize: UInt64?
  /// The time of the oldest event in the journal since the Unix epoch; nil without events.
  public var oldestEvent: Instant?
  /// The number of times that the file of the journal began to fail.
  public var journalFailures = 0
  /// The octets that wait for the bus.
  public var busQueue = 0
  public var isClockSynchronised: Bool?

  public init() {}
}

/// Figures of a process.
public struct ProcessFigures: Sendable {
  public var version = ""
  /// The start since the Unix epoch.
  public var start: Instant?
  public var processorTime: Span?
  /// Octets.
  public var residentMemory: UInt64?
  public var openDescriptors: Int?
  public var mostDescriptors: UInt64?
  /// The wake-ups of the event loop.
  public var wakeUps: UInt64?
  /// The latest round trip through the event loop that the watchdog measured; nil without a watchdog.
  public var loopLatency: Span?
  /// The time at which the present configuration was read, since the Unix epoch.
  public var configurationRead: Instant?
  /// Whether the latest reload succeeded, or none was requested.
  public var isConfigurationCurrent = true
  /// Whether the bus is connected.
  public var isBusConnected = false

  public init() {}
}

/// Figures of the notifier.
public struct NotifierFigures: Sendable {
  /// The figures of a target, or of all apps together.
  public struct Target: Sendable {
    public var name: String
    /// `webhook`, `mqtt`, and so on.
    public var kind: String
    /// Attempts since the start by outcome.
    public var results: [(name: String, count: Int)] = []
    public var waiting = 0
    /// The time that the oldest delivery has waited; nil if none waits.
    public var oldest: Span?
    /// The trouble of a target with its connection; nil for a target that keeps none.
    public var trouble: String?

    public init(name: String, kind: String) {
      (self.name, self.kind) = (name, kind)
    }
  }

  public var targets: [Target] = []
  public var isMonitorThere = false
  /// Whether deliveries survive a restart.
  public var isOutboxDurable = false
  public var isOutboxFailing = false

  public init() {}
}
