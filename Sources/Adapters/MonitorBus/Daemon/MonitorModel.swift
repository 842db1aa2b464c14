import Instants
import Ranging
import Records
import Regions

/// What the bus shows of the daemon.
public protocol MonitorModel: AnyObject {
  var version: String { get }
  /// As the config writes it: `capture:walk.btsnoop`.
  var source: String { get }
  var sourceState: SourceState { get }
  /// What is wrong with the source, and what to do; nil while nothing is.
  var sourceNote: String? { get }
  /// What became of everything the source delivered.
  var statistics: Record { get }
  /// How well each receiver hears: `address`, `state`, `since`, `reportsPerSecond` and, where they are known, `name`, `lastReport` and `note`.
  var adapters: [Record] { get }
  var journal: any MonitorJournal { get }
  var watches: [RegionWatch] { get }
  func watch(_ identifier: String) -> RegionWatch?

  /// Keeps the beacons of `constraint` for snapshots until `stopRanging` was called as often.
  func startRanging(_ constraint: BeaconConstraint)
  func stopRanging(_ constraint: BeaconConstraint)
  /// As things stand now; nil while the source's clock is not known.
  func snapshot(of constraint: BeaconConstraint) -> (time: Instant, beacons: [RangedBeacon])?

  /// False until the source has said what time it is.
  var isClockKnown: Bool { get }
  /// From the source's clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
  func adapterName(_ adapter: UInt16) -> String?
}

/// Where the events are that were sent.
public protocol MonitorJournal: AnyObject {
  /// The identity of the journal in use.
  var name: String { get }
  /// Those before it of which events are left, oldest first.
  var earlierNames: [String] { get }
  /// Of the last event; zero before the first.
  var lastSequence: UInt64 { get }
  /// Whether events survive the daemon.
  var isDurable: Bool { get }
  /// What is wrong with it, and what to do; nil while nothing is.
  var note: String? { get }
  /// The events of a journal after `sequence`, at most `limit`, in order; nil when it has no more and another one is in use.
  func events(of journal: String, after sequence: UInt64, limit: Int) -> [Record]?
}

/// What a source of advertisements is doing.
public enum SourceState: String, Sendable {
  case scanning
  /// It could hear and does not: a capture that has ended.
  case paused
  /// It cannot hear.
  case gone
}
