import Instants
import Records

/// A venue, and the learned offsets of receivers there.
public struct VenueStatus: RecordRepresentable, Hashable {
  /// The id of the venue.
  public var venue: String?
  /// The reason for having no indoor position, or warnings about the plan; nil if there are none.
  public var note: String?
  public var receivers: [Receiver]?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("venue", \.venue),
    RecordField("note", \.note),
    RecordField("receivers", \.receivers),
  ]
}

extension VenueStatus {
  /// The learned offsets of one adapter.
  public struct Receiver: RecordRepresentable, Hashable {
    /// The address of the adapter, or another name that stays the same.
    public var adapter: String?
    /// The dB by which the adapter receives the venue's beacons louder than expected.
    public var offset: Double?
    /// The number of beacons whose reception is learned.
    public var beacons: UInt64?
    /// The seconds of walking that taught something.
    public var seconds: UInt64?
    /// The start of learning since the Unix epoch.
    public var since: Instant?
    /// The reason for which the configured offset is not used; nil while it fits.
    public var note: String?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("adapter", \.adapter),
      RecordField("offset", \.offset, decimals: 1),
      RecordField("beacons", \.beacons),
      RecordField("seconds", \.seconds),
      RecordField("since", \.since),
      RecordField("note", \.note),
    ]
  }
}
