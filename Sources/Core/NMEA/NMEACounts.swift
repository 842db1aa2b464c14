import Records

/// What became of every line: `lines == used + unused + faults.total`.
public struct NMEACounts: Equatable, Sendable {
  public private(set) var used = 0
  /// Sentences that are right and say nothing about the position.
  public private(set) var unused = 0
  public private(set) var faults = Tally<NMEAFault>()

  public init() {}

  public var lines: Int { used + unused + faults.total }

  mutating func noteUsed() { used += 1 }

  mutating func noteUnused() { unused += 1 }

  mutating func note(_ fault: NMEAFault) { faults.count(fault) }

  /// - Parameter total: so many until now.
  mutating func noteTooLong(_ total: Int) {
    while faults[.length] < total { faults.count(.length) }
  }
}

extension NMEACounts {
  /// Faults that did not occur are not there.
  public var record: Record {
    Record(["used": .count(UInt64(used)), "unused": .count(UInt64(unused)), "malformed": .record(faults.record)])
  }
}
