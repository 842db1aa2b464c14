/// What became of every line of a receiver: `lines == used + unused + faults.total`.
public struct LineCounts<Fault: CaseIterable & RawRepresentable & Sendable>: Equatable, Sendable where Fault.RawValue == UInt8 {
  public private(set) var used = 0
  /// Lines that are right and say nothing that is wanted.
  public private(set) var unused = 0
  public private(set) var faults = Tally<Fault>()

  public init() {}

  public var lines: Int { used + unused + faults.total }

  public mutating func noteUsed() { used += 1 }

  public mutating func noteUnused() { unused += 1 }

  public mutating func note(_ fault: Fault) { faults.count(fault) }

  /// - Parameter total: so many of it until now.
  public mutating func note(_ fault: Fault, total: Int) {
    while faults[fault] < total { faults.count(fault) }
  }
}

extension LineCounts {
  /// Faults that did not occur are not there.
  public var record: Record {
    Record(["used": .count(UInt64(used)), "unused": .count(UInt64(unused)), "malformed": .record(faults.record)])
  }
}
