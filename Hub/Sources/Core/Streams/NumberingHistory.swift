import FleetMessages

/// Whether the digests of one identity come from one device.
///
/// A device begins a numbering with each start, and never continues an older one. Two devices with copies of one certificate and one name alternate
/// between theirs.
public struct NumberingHistory: Hashable, Sendable {
  /// The number of returns that is no accident. A device that restarts may still send digests of the run before.
  public static let suspiciousReturns: Int64 = 3

  /// The numbering of the newest digest.
  public private(set) var current: StreamJournal?
  /// The count of digests that continued an older numbering than the one before.
  public private(set) var returns: Int64

  public init(current: StreamJournal? = nil, returns: Int64 = 0) {
    (self.current, self.returns) = (current, returns)
  }

  public var looksCloned: Bool { returns >= Self.suspiciousReturns }

  /// Notes the numbering of a digest that is no copy. `isKnown` is whether a digest of this numbering arrived before.
  public mutating func note(_ journal: StreamJournal, isKnown: Bool) {
    guard journal != current else { return }
    if current != nil, isKnown { returns += 1 }
    current = journal
  }
}
