import BeaconAdvertising
import EventLoop
import Instants
import Radios
import Ranging
import Records
import Regions
import TOML

/// What the bus shows of the daemon.
public protocol MonitorModel: AnyObject {
  var version: String { get }
  /// `time` and `reason` of the last reload of the configuration, if it was refused; nil if it succeeded.
  var refusedReloadRecord: Record? { get }
  /// As the config writes it: `auto`, `capture:walk.btsnoop`.
  var source: String { get }
  /// What `auto` has come to, `bluez` or `hci`, and why; nil for every other source.
  var sourceChoice: String? { get }
  var sourceReason: String? { get }
  var sourceState: SourceState { get }
  /// False for a device that listens for no beacons and never will.
  var hearsBeacons: Bool { get }
  /// What is wrong with the source, and what to do; nil while nothing is.
  var sourceNote: String? { get }
  /// What became of everything the source delivered.
  var statistics: Record { get }
  /// How well each adapter hears.
  var adapters: [AdapterHealth] { get }
  /// What is added to the RSSI of what it hears, dB.
  func rssiOffset(of adapter: UInt16) -> Double
  var journal: any MonitorJournal { get }
  var locations: any LocationModel { get }
  /// What outlives the sessions.
  var registry: any RegionRegistry { get }
  /// The beacons that the machine is itself: `uuid`, `major`, `minor`, `measuredPower`, `state`, `since` and, where they are known, `adapter` and `note`.
  var advertisements: [Record] { get }
  /// Those of the config.
  var watches: [RegionWatch] { get }
  func watch(_ identifier: String, of owner: RegionOwner) -> RegionWatch?
  /// Where the device is, while a fix tells it.
  var lastFix: Fix? { get }

  /// A region as a client defines it, by the rules of the config.
  func region(_ definition: [String: TOMLNode], of owner: RegionOwner) throws(RegionRefusal) -> Region
  /// Events of it go to `MonitorService.publish(_:details:)` from now on. One of the same owner and identifier is replaced without an event.
  func startMonitoring(_ region: Region)
  /// Nothing more comes of them, not even what has happened already.
  func stopMonitoring(_ identifiers: [String], of owner: RegionOwner)
  /// The owner, who has no regions any more, will not come back.
  func forget(_ owner: RegionOwner)

  /// Keeps the beacons of `constraint` for snapshots until `stopRanging` was called as often.
  func startRanging(_ constraint: BeaconConstraint)
  func stopRanging(_ constraint: BeaconConstraint)
  /// As things stand now; nil while the source's clock is not known.
  func snapshot(of constraint: BeaconConstraint) -> (time: Instant, beacons: [RangedBeacon])?

  /// Writes what is heard from now on, as a capture, into one end of a Unix stream, until the other is closed. Never waits for its reader.
  ///
  /// - Parameter onEnd: called once the recording is over, unless this throws.
  /// - Returns: what ends it, with a reason for people.
  func startRecording(
    to socket: consuming FileDescriptor, _ options: RecordingOptions, onEnd: @escaping () -> Void
  ) throws(RecordingRefusal) -> (String) -> Void

  /// Keeps every beacon that is heard, for `MonitorService.publish(_: ScanSnapshot)`, until `stopScanning` was called as often.
  func startScanning()
  func stopScanning()

  /// What the people who run the daemon should know.
  func note(_ message: String)

  /// On the source's clock.
  var now: Instant { get }
  /// False until the source has said what time it is.
  var isClockKnown: Bool { get }
  /// From the source's clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
  func adapterName(_ adapter: UInt16) -> String?
}

/// Why what a client defines is no region.
public struct RegionRefusal: Error {
  /// What is wrong and what to do, with the key before each.
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}

/// What a source of advertisements is doing.
public enum SourceState: String, Sendable {
  case scanning
  /// It could hear and does not: an adapter is about to scan, a circle with scan-only-near holds the scan off, or a capture has ended.
  case paused
  /// It could hear, and nothing asks it to.
  case idle
  /// It cannot hear.
  case gone
  /// It is not there to hear: the config has no source of beacons.
  case nothing = "none"
}
