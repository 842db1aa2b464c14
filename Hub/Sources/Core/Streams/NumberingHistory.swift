import FleetMessages

/// Whether the digests of one identity come from one device.
///
/// A device begins a numbering with each start, and never continues an older one. Two devices with copies of one certificate and one name alternate
/// between theirs. Times are milliseconds since 1970 by the clock of the hub.
public struct NumberingHistory: Hashable, Sendable {
  /// The number of returns within a day that reveals a clone. A device that restarts may send digests of the previous run.
  public static let suspiciousReturns: Int64 = 3
  private static let day: Int64 = 86_400_000

  /// The numbering of the newest digest.
  public private(set) var current: StreamJournal?
  /// The count of digests that continued an older numbering than the one before, each within a day of the last.
  public private(set) var returns: Int64
  /// The time of the last one; 0 before the first.
  public private(set) var returned: Int64

  public init(current: StreamJournal? = nil, returns: Int64 = 0, returned: Int64 = 0) {
    (self.current, self.returns, self.returned) = (current, returns, returned)
  }

  public func looksCloned(at now: Int64) -> Bool { returns >= Self.suspiciousReturns && now - returned < Self.day }

  /// Notes the numbering of a digest that is not a copy. `isKnown` is whether a digest of this numbering arrived before.
  public mutating func note(_ journal: StreamJournal, isKnown: Bool, at now: Int64) {
    guard journal != current else { return }
    if current != nil, isKnown {
      returns = now - returned < Self.day ? returns + 1 : 1
      returned = now
    }
    current = journal
  }
}
