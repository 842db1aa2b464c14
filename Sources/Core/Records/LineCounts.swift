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
  /// The counts as a record, without faults that did not occur.
  public var record: Record {
    Record(["used": .count(UInt64(used)), "unused": .count(UInt64(unused)), "malformed": .record(faults.record)])
  }
}
