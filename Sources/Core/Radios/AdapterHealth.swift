import BeaconAdvertising
import Instants

/// How well one adapter hears, for people and for the engine, whose exit clocks run only while somebody can hear.
public struct AdapterHealth: Equatable, Sendable {
  public enum State: String, Sendable {
    case scanning
    /// Powered and about to scan: it begins to, it waits to try again, or it lets bonded devices come back.
    case paused
    /// Powered, and nothing asks it to scan: there is no region, no session and no recording that needs beacons, or a gate holds the scan off.
    case idle
    /// Scanning, as everybody believes, and deaf: what was heard all the time has stopped, and beginning anew did not bring it back.
    case silent
    case off
    /// Switched off by rfkill.
    case blocked
    /// Unplugged, or nobody here can reach it.
    case gone
  }

  public var address: BluetoothAddress
  /// What its sightings carry; never another adapter's.
  public var number: UInt16
  /// `hci0`; nil while it is gone.
  public var name: String?
  public var state: State
  /// On the loop's clock.
  public var since: Instant
  /// Reports of whatever devices, over the last seconds.
  public var reportsPerSecond: Double
  public var lastReport: Instant?
  /// What it cannot do, or what went wrong last and is being tried again: one line each.
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

  /// The same now, after `told` was told of it: the state goes on since then when it is the same.
  public func following(_ told: AdapterHealth?) -> AdapterHealth {
    var health = self
    if let told, told.state == state { health.since = told.since }
    return health
  }

  /// Whether people have to be told, who were told `other`. Reports come all the time.
  public func tells(more other: AdapterHealth?) -> Bool {
    guard let other else { return true }
    return (other.state, other.name) != (state, name) || other.notes != notes
  }
}
