import Beacons
import Instants

/// The health of one adapter, for the status and for the engine, whose exit clocks run only while an adapter can hear.
public struct AdapterHealth: Equatable, Sendable {
  public enum State: String, Sendable {
    case scanning
    /// Powered and about to scan: it starts a scan, waits for a retry, or lets bonded devices reconnect.
    case paused
    /// Powered, but no scan is requested.
    /// No region, session or recording needs beacons, or a gate pauses the scan.
    case idle
    /// Scanning according to its state, but reports that used to arrive have stopped, and a scan restart did not help.
    case silent
    case off
    /// Blocked by rfkill.
    case blocked
    /// Unplugged, or inaccessible to the daemon.
    case gone
  }

  public var address: BluetoothAddress
  /// The adapter number in its sightings, unique to this adapter.
  public var number: UInt16
  /// The kernel name, such as `hci0`; nil while the adapter is gone.
  public var name: String?
  public var state: State
  /// The time of the last state change, on the loop's clock.
  public var since: Instant
  /// The rate of reports from all devices over the last seconds.
  public var reportsPerSecond: Double
  public var lastReport: Instant?
  /// Missing abilities, or the last error that is being retried: one line each.
  public var notes: [String]

  public init(
    address: BluetoothAddress, number: UInt16, name: String? = nil, state: State = .gone, since: Instant, reportsPerSecond: Double = 0,
    lastReport: Instant? = nil, notes: [String] = []
  ) {
    self.address = address
    self.number = number
    self.name = name
    self.state = state
    self.since = since
    self.reportsPerSecond = reportsPerSecond
    self.lastReport = lastReport
    self.notes = notes
  }

  /// Returns a copy that keeps the start time of the previously reported health if the state is unchanged.
  public func following(_ reported: AdapterHealth?) -> AdapterHealth {
    var health = self
    if let reported, reported.state == state { health.since = reported.since }
    return health
  }

  /// Returns whether the difference from `other`, the last reported health, is worth a report.
  /// A changed report rate is not, because it changes all the time.
  public func isWorthReporting(after other: AdapterHealth?) -> Bool {
    guard let other else { return true }
    return (other.state, other.name) != (state, name) || other.notes != notes
  }
}
