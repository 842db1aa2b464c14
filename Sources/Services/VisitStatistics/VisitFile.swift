public import Instants
public import Visits

/// The place in the journal up to which visits are counted, and the visits that had not ended there.
public struct VisitCheckpoint: Hashable, Sendable {
  /// The identity of the journal.
  public var journal: String
  /// The sequence of the last event that is counted.
  public var sequence: UInt64
  /// The latest time that was counted, since the Unix epoch.
  public var latest: Instant?
  public var open: [VisitCounter.OpenVisit]

  public init(journal: String, sequence: UInt64, latest: Instant?, open: [VisitCounter.OpenVisit]) {
    (self.journal, self.sequence, self.latest, self.open) = (journal, sequence, latest, open)
  }
}

/// The checkpoint of a file.
public enum StoredVisitCheckpoint: Hashable, Sendable {
  /// The file is new.
  case new
  /// The file has numbers, and the place in the journal is damaged.
  case lost
  case checkpoint(VisitCheckpoint)
}

/// The file of the daily numbers.
public protocol VisitFile: AnyObject {
  /// Returns where counting continues.
  func loadCheckpoint() throws(VisitFileFailure) -> StoredVisitCheckpoint
  /// Adds the changes to the stored days and replaces the checkpoint, in one commit.
  ///
  /// It also removes the oldest of more than `mostDays` days.
  ///
  /// - Parameter sequence: the sequence of the stored checkpoint; nil for a file without one.
  /// - Returns: false, without a change, if the file has another checkpoint, because it was replaced.
  func add(_ changes: [DailyVisits], _ checkpoint: VisitCheckpoint, after sequence: UInt64?, mostDays: Int) throws(VisitFileFailure) -> Bool
  /// Returns the stored numbers after `key` in the order of their keys, at most `limit`; nil means from the first on.
  func days(after key: DailyVisits.Key?, limit: Int) throws(VisitFileFailure) -> [DailyVisits]
}

/// A failure of the file, which may be temporary, described in one line.
public struct VisitFileFailure: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) {
    self.reason = reason
  }
}
