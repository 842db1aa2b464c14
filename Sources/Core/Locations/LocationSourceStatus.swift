import Instants
import Records

/// A location source with its health and its counts, as clients see it.
public struct LocationSourceStatus: RecordRepresentable, Hashable {
  public var source: String?
  public var state: LocationHealth.State?
  /// Whether the daemon has switched the source on.
  public var isOn: Bool?
  /// The problem and its remedy; nil if there is no problem.
  public var note: String?
  public var fixes: UInt64?
  /// The rejected readings by reason, without reasons that did not occur.
  public var refused: NamedCounts?
  /// Nil for a source that sends no lines.
  public var lines: LineStatistics?
  /// Nil without a current heading of a compass.
  public var heading: HeadingReport?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("source", \.source),
    RecordField("state", \.state),
    RecordField("isOn", \.isOn),
    RecordField("note", \.note),
    RecordField("fixes", \.fixes),
    RecordField("refused", \.refused),
    RecordField("lines", \.lines),
    RecordField("heading", \.heading),
  ]
}

extension LocationHealth.State: RecordFieldValue {}

extension LocationSourceStatus {
  public init(_ source: Location.Source, _ health: LocationHealth, isOn: Bool, _ counts: LocationCounts, heading: HeadingReport?) {
    (self.source, state, self.isOn, note) = (source.name, health.state, isOn, health.words)
    (fixes, refused, lines) = (UInt64(counts.fixes), counts.refusals, counts.lines)
    self.heading = heading
  }
}

extension LocationCounts {
  /// All readings without effect by reason.
  var refusals: NamedCounts {
    var counts = refused.counts
    counts.append("stale", stale)
    counts.append("late", late)
    return counts
  }
}

/// The latest headings of a compass, as clients see them.
public struct HeadingReport: RecordRepresentable, Hashable {
  /// Degrees clockwise from true north.
  public var trueHeading: Double?
  /// Degrees clockwise from magnetic north.
  public var magneticHeading: Double?
  /// Degrees to the east.
  public var variation: Double?
  /// Seconds since the latest heading.
  public var age: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField(direction: "trueHeading", \.trueHeading, decimals: 1),
    RecordField(direction: "magneticHeading", \.magneticHeading, decimals: 1),
    RecordField("variation", \.variation, decimals: 1),
    RecordField("age", \.age, decimals: 3),
  ]
}

/// A location source that was switched on or off, as clients see it.
public struct LocationSwitch: RecordRepresentable, Hashable {
  /// The time since the Unix epoch.
  public var time: Instant?
  public var source: String?
  public var isOn: Bool?
  public var reason: String?

  public init() {}

  public init(time: Instant, source: String, isOn: Bool, reason: String) {
    (self.time, self.source, self.isOn, self.reason) = (time, source, isOn, reason)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("time", \.time),
    RecordField("source", \.source),
    RecordField("isOn", \.isOn),
    RecordField("reason", \.reason),
  ]
}

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
