import Records

/// What became of every line: `lines == used + unused + faults.total`.
public struct GPSDCounts: Equatable, Sendable {
  public internal(set) var used = 0
  /// Reports that say nothing about the position, and what is no report.
  public internal(set) var unused = 0
  public internal(set) var faults = Tally<GPSDFault>()

  public init() {}

  public var lines: Int { used + unused + faults.total }
}

extension GPSDCounts {
  /// Faults that did not occur are not there.
  public var record: Record {
    Record(["used": .count(UInt64(used)), "unused": .count(UInt64(unused)), "malformed": .record(faults.record)])
  }
}
