import BeaconAdvertising
import EventLoop
import Instants
import Positioning
import Radios
import Ranging
import Records
import Regions
import TOML

/// The state of the daemon that the bus service shows.
public protocol MonitorModel: AnyObject {
  var version: String { get }
  /// `time` and `reason` of the last reload of the configuration if it was refused; nil if it succeeded.
  var refusedReloadRecord: Record? { get }
  /// The source as written in the config: `auto`, `capture:walk.btsnoop`.
  var source: String { get }
  /// The source that `auto` has selected, `bluez` or `hci`, and below the reason; both are nil for every other source.
  var sourceChoice: String? { get }
  var sourceReason: String? { get }
  var sourceState: SourceState { get }
  /// False for a device without a source of beacons.
  var hearsBeacons: Bool { get }
  /// A problem with the source and its remedy; nil if there is none.
  var sourceNote: String? { get }
  /// Counts of the advertisements that the source delivered, by what became of them.
  var statistics: Record { get }
  /// The health of each adapter.
  var adapters: [AdapterHealth] { get }
  /// Returns the offset in dB that is added to the RSSI of the adapter's advertisements.
  func rssiOffset(of adapter: UInt16) -> Double
  var journal: any MonitorJournal { get }
  var locations: PositioningService { get }
  /// The regions that outlive their sessions.
  var registry: any RegionRegistry { get }
  /// The beacons that this machine advertises.
  ///
  /// Each has `uuid`, `major`, `minor`, `measuredPower`, `state`, `since` and, if known, `adapter` and `note`.
  var advertisements: [Record] { get }
  /// The regions of the config.
  var watches: [RegionWatch] { get }
  func watch(_ identifier: String, of owner: RegionOwner) -> RegionWatch?
  /// The latest fix of the device's location; nil if there is none.
  var lastFix: Fix? { get }

  /// Returns the region that a client defines, checked by the rules of the config.
  func region(_ definition: [String: TOMLNode], of owner: RegionOwner) throws(RegionRefusal) -> Region
  /// Starts a region, whose events go to `MonitorService.publish(_:details:)`.
  ///
  /// A region of the same owner and identifier is replaced without an event.
  func startMonitoring(_ region: Region)
  /// Stops regions. No event of them follows, not even one of an earlier change.
  func stopMonitoring(_ identifiers: [String], of owner: RegionOwner)
  /// Forgets an owner that has no regions left and will not return.
  func forget(_ owner: RegionOwner)

  /// Keeps the beacons of `constraint` for snapshots until `stopRanging` was called as often.
  func startRanging(_ constraint: BeaconConstraint)
  func stopRanging(_ constraint: BeaconConstraint)
  /// Returns the beacons of a constraint at the present time; nil while the source's clock is unknown.
  func snapshot(of constraint: BeaconConstraint) -> (time: Instant, beacons: [RangedBeacon])?

  /// Records advertisements as a capture into one end of a Unix stream until the other end is closed.
  ///
  /// The recording never waits for its reader.
  ///
  /// - Parameter onEnd: called when the recording has ended, unless this throws.
  /// - Returns: a closure that ends the recording, given a human-readable reason.
  func startRecording(
    to socket: consuming FileDescriptor, _ options: RecordingOptions, onEnd: @escaping () -> Void
  ) throws(RecordingRefusal) -> (String) -> Void

  /// Scans for all beacons, for `MonitorService.publish(_: ScanSnapshot)`, until `stopScanning` was called as often.
  func startScanning()
  func stopScanning()

  /// Logs a message for the administrators of the daemon.
  func note(_ message: String)

  /// The time on the source's clock.
  var now: Instant { get }
  /// False until the source has reported its time.
  var isClockKnown: Bool { get }
  /// Converts a time on the source's clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
  func adapterName(_ adapter: UInt16) -> String?
}

/// The error for a client's definition that makes no region.
public struct RegionRefusal: Error {
  /// Each problem with its remedy, after the key that it concerns.
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}

/// The activity of a source of advertisements.
public enum SourceState: String, Sendable {
  case scanning
  /// The source can hear but does not.
  ///
  /// An adapter is about to scan, a circle with scan-only-near holds the scan off, or a capture has ended.
  case paused
  /// The source can hear, but no client or region needs it.
  case idle
  /// The source cannot hear.
  case gone
  /// The config has no source of beacons.
  case nothing = "none"
}
