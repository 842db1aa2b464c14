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
  public var lines: LineStatistics?

  public init() {}
}
