import Instants

/// How well one adapter hears, for people and for the engine, whose exit clocks run only while somebody can hear.
public struct AdapterHealth: Equatable, Sendable {
  public enum State: String, Sendable {
    case scanning
    /// Powered, but not scanning at this moment: it begins to, it waits to try again, it lets bonded devices come back, or nobody wants it to.
    case paused
    /// Scanning, as BlueZ believes, and deaf: what was heard all the time has stopped, and beginning anew did not bring it back.
    case silent
    case off
    /// Switched off by rfkill.
    case blocked
    /// Unplugged, or BlueZ is not running.
    case gone
  }

  /// `00:1A:7D:DA:71:13`.
  public var address: String
  /// What its sightings carry; never another adapter's.
  public var index: UInt16
  /// `hci0`; nil while it is gone.
  public var name: String?
  public var state: State
  /// On the loop's clock.
  public var since: Instant
  /// Reports of whatever devices, over the last seconds.
  public var reportsPerSecond: Double
  public var lastReport: Instant?
  /// What it cannot do, or what went wrong last and is being tried again: one line.
  public var notes: [String] = []
}
