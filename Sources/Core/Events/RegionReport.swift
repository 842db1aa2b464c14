import Instants
import Records

/// The present state of a region as clients receive it, with the keys of an event. A value is nil if it is unknown.
public struct RegionReport: RecordRepresentable, Hashable {
  public var state: RegionState?
  /// The time of the last change of the state since the Unix epoch.
  public var since: Instant?
  /// The last beacon that satisfied the region.
  public var beacon: Event.Beacon?
  /// The time at which that beacon was last heard.
  public var lastSeen: Instant?
  /// The last fix, for a circle.
  public var location: Event.Location?
  /// The time of that fix.
  public var fixTime: Instant?
  /// Metres from the circle's boundary to that fix, negative inside.
  public var boundaryDistance: Double?
  /// The reason why the region does not work, with its remedy; nil if it works.
  public var note: String?

  public init() {}

  public init(_ state: RegionState, note: String? = nil) {
    (self.state, self.note) = (state, note)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("state", \.state),
    RecordField("since", \.since),
    RecordField("beacon", \.beacon),
    RecordField("lastSeen", \.lastSeen),
    RecordField("location", \.location),
    RecordField("fixTime", \.fixTime),
    RecordField("boundaryDistance", \.boundaryDistance, decimals: 2),
    RecordField("note", \.note),
  ]
}
