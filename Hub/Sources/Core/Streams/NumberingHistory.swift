import FleetMessages

/// Whether the digests and the reports of one identity come from one device.
///
/// A device begins a numbering with each start, and never continues an older one. Two devices with copies of one certificate and one name
/// alternate between theirs. Times are milliseconds since 1970 by the clock of the hub.
public struct NumberingHistory: Hashable, Sendable {
  /// The number of returns within a day that reveals a clone. A device that restarts may send digests of the previous run.
  public static let suspiciousReturns: Int64 = 3
  private static let day: Int64 = 86_400_000

  /// The numbering of the newest digest.
  public private(set) var current: StreamJournal?
  /// The numbering of the newest report. A device without beacons in range sends no digests.
  public private(set) var currentReport: StreamJournal?
  /// The count of messages that continued an older numbering of their kind, each within a day of the last.
  public private(set) var returns: Int64
  /// The time of the last one; 0 before the first.
  public private(set) var returned: Int64

  public init(current: StreamJournal? = nil, currentReport: StreamJournal? = nil, returns: Int64 = 0, returned: Int64 = 0) {
    (self.current, self.currentReport, self.returns, self.returned) = (current, currentReport, returns, returned)
  }

  public func looksCloned(at now: Int64) -> Bool { returns >= Self.suspiciousReturns && now - returned < Self.day }

  /// Notes the numbering of a digest that is not a copy. `isKnown` is whether a digest of this numbering arrived before.
  public mutating func note(_ journal: StreamJournal, isKnown: Bool, at now: Int64) {
    if journal != current, current != nil, isKnown { noteReturn(at: now) }
    current = journal
  }

  /// Notes the numbering of a report in the same way.
  ///
  /// A device that restarts may send old digests after a new report, so that each kind is compared with itself.
  public mutating func note(report journal: StreamJournal, isKnown: Bool, at now: Int64) {
    if journal != currentReport, currentReport != nil, isKnown { noteReturn(at: now) }
    currentReport = journal
  }

  private mutating func noteReturn(at now: Int64) {
    returns = now - returned < Self.day ? returns + 1 : 1
    returned = now
  }
}
