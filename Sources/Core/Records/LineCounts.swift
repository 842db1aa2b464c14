/// The number of a receiver's lines by their use: `lines == used + unused + faults.total`.
public struct LineCounts<Fault: CaseIterable & RawRepresentable & Sendable>: Equatable, Sendable where Fault.RawValue == UInt8 {
  public private(set) var used = 0
  /// Valid lines without a value of interest.
  public private(set) var unused = 0
  public private(set) var faults = Tally<Fault>()

  public init() {}

  public var lines: Int { used + unused + faults.total }

  public mutating func noteUsed() { used += 1 }

  public mutating func noteUnused() { unused += 1 }

  public mutating func note(_ fault: Fault) { faults.count(fault) }

  /// Raises the count of a fault.
  ///
  /// - Parameter total: the new count.
  public mutating func note(_ fault: Fault, total: Int) {
    while faults[fault] < total { faults.count(fault) }
  }
}

extension LineCounts {
  /// The counts for clients, without faults that did not occur.
  public var statistics: LineStatistics {
    LineStatistics(used: UInt64(used), unused: UInt64(unused), malformed: faults.counts)
  }
}

/// The lines of a receiver by their use, as clients see them.
public struct LineStatistics: RecordRepresentable, Hashable {
  public var used: UInt64?
  public var unused: UInt64?
  public var malformed: NamedCounts?
  /// The number of fixes of a walk that are skipped because they have no time; nil if there are none.
  public var untimed: UInt64?
  /// The number of pauses because the peer sends more than a receiver does; nil if there was none.
  public var limited: UInt64?

  public init() {}

  public init(used: UInt64, unused: UInt64, malformed: NamedCounts) {
    (self.used, self.unused, self.malformed) = (used, unused, malformed)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("used", \.used),
    RecordField("unused", \.unused),
    RecordField("malformed", \.malformed),
    RecordField("untimed", \.untimed),
    RecordField("limited", \.limited),
  ]
}
