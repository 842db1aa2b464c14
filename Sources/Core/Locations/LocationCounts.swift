import Records

/// What became of the readings of a source.
public struct LocationCounts: Equatable, Sendable {
  public var fixes = 0
  public var refused = Tally<LocationRefusal>()
  /// What became of the lines that it sends; nil for a source that sends none.
  public var lines: Record?

  public init() {}
}

extension LocationCounts {
  /// Refusals that did not occur are not there.
  public var record: Record {
    Record(["fixes": .count(UInt64(fixes)), "refused": .record(refused.record), "lines": lines.map { .record($0) }])
  }
}
