import Records

/// Counts of a source's readings by their outcome.
public struct LocationCounts: Equatable, Sendable {
  public var fixes = 0
  public var refused = Tally<LocationRefusal>()
  /// Fixes that had expired on arrival.
  public var stale = 0
  /// Fixes that arrived after newer ones.
  public var late = 0
  /// Counts of the lines that the source sends; nil for a source that sends no lines.
  public var lines: Record?

  public init() {}
}

extension LocationCounts {
  /// The record for clients; refusals that did not occur are absent.
  public var record: Record {
    var refused = refused.record
    if stale > 0 { refused.append("stale", .count(UInt64(stale))) }
    if late > 0 { refused.append("late", .count(UInt64(late))) }
    return Record(["fixes": .count(UInt64(fixes)), "refused": .record(refused), "lines": lines.map { .record($0) }])
  }
}
