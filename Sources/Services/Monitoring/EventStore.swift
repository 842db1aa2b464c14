import Events
import Instants
import Regions

/// A journal's storage: a file, or memory while the file fails. It never fails as a whole.
public protocol EventStore: AnyObject {
  /// The identity of the journal in use.
  var name: String { get }
  /// The earlier journals that still have events, oldest first.
  var earlierJournals: [String] { get }
  /// The sequence of the last event; zero before the first.
  var lastSequence: UInt64 { get }
  /// Whether events survive the end of the process.
  var isDurable: Bool { get }
  /// A problem with the file and its remedy; nil if there is none.
  var note: String? { get }
  /// The reason why other users may read or replace the file, and the remedy; nil if they may not.
  var permissionWarning: String? { get }
  /// The time of the next `retry`; `.never` while the file works.
  var nextRetry: Instant { get }
  /// The number of events that are known to be damaged or lost.
  var damagedEventCount: UInt64 { get }

  /// The octets of the files; nil if there is no file.
  var fileSize: UInt64? { get }

  /// Stores the events and the resulting states of regions, and returns the events as they may be sent.
  func commit(_ events: [Event], _ regions: [SavedRegion], _ heartbeat: Heartbeat?, at now: Instant) -> [Event]
  /// Stores the states of all existing regions, if there is a file for them.
  func save(_ regions: [SavedRegion], _ heartbeat: Heartbeat, at now: Instant)
  /// Returns the states that were saved last, and the time of saving; nil if there is no file, or it cannot be read.
  func savedRegions() -> (regions: [SavedRegion], heartbeat: Heartbeat)?
  /// Returns the events of a journal after `sequence`, at most `limit`, in order.
  ///
  /// Returns nil if the journal has no more events and another one is in use.
  func events(of journal: String, after sequence: UInt64, limit: Int) throws -> [Event]?
  /// Tries the file again, and moves the events that were kept in memory to it.
  func retry(at now: Instant)
  /// Closes the file; the store is not used afterwards.
  func close()
  /// Removes the file; the store is not used afterwards.
  func erase()
  /// Returns and forgets the damage that was found since the last call.
  func takeFindings() -> [String]
}
