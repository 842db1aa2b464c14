import Records

/// What became of the readings of a source.
public struct LocationCounts: Equatable, Sendable {
  public var fixes = 0
  public var refused = Tally<LocationRefusal>()
  /// Fixes that told nothing any more when they came.
  public var stale = 0
  /// Fixes that came after newer ones.
  public var late = 0
  /// What became of the lines that it sends; nil for a source that sends none.
  public var lines: Record?

  public init() {}
}

extension LocationCounts {
  /// Refusals that did not occur are not there.
  public var record: Record {
    var refused = refused.record
    if stale > 0 { refused.append("stale", .count(UInt64(stale))) }
    if late > 0 { refused.append("late", .count(UInt64(late))) }
    return Record(["fixes": .count(UInt64(fixes)), "refused": .record(refused), "lines": lines.map { .record($0) }])
  }
}
