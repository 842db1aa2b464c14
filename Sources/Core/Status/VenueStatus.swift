public import Beacons
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
    /// The seconds of walking from which something was learned.
    public var seconds: UInt64?
    /// The start of learning since the Unix epoch.
    public var since: Instant?
    /// The reason why the configured offset is not used; nil while it fits.
    public var note: String?
    /// The seconds of walking after which offsets are suggested; nil if they are certain enough.
    public var missingSeconds: UInt64?
    /// The `rssi-offset` in dB that would declare the learned level; nil while the configured one fits.
    public var suggestedOffset: Double?
    /// One sigma of `suggestedOffset` in dB.
    public var suggestedOffsetAccuracy: Double?
    /// The beacons whose `rssi-offset` should change.
    public var suggestedBeacons: [Beacon]?
    /// The number of offsets that are not suggested, because they were refused and have not changed since.
    public var refused: UInt64?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("adapter", \.adapter),
      RecordField("offset", \.offset, decimals: 1),
      RecordField("beacons", \.beacons),
      RecordField("seconds", \.seconds),
      RecordField("since", \.since),
      RecordField("note", \.note),
      RecordField("missingSeconds", \.missingSeconds),
      RecordField("suggestedOffset", \.suggestedOffset, decimals: 1),
      RecordField("suggestedOffsetAccuracy", \.suggestedOffsetAccuracy, decimals: 1),
      RecordField("suggestedBeacons", \.suggestedBeacons),
      RecordField("refused", \.refused),
    ]

    /// The number of suggested offsets.
    public var suggestionCount: Int { (suggestedOffset == nil ? 0 : 1) + (suggestedBeacons?.count ?? 0) }
  }

  /// A beacon with the `rssi-offset` that would declare its learned reception.
  public struct Beacon: RecordRepresentable, Hashable {
    public var uuid: BeaconUUID?
    public var major: UInt16?
    public var minor: UInt16?
    /// The new offset in dB, which replaces the configured one.
    public var rssiOffset: Double?
    /// One sigma of `rssiOffset` in dB.
    public var rssiOffsetAccuracy: Double?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("uuid", \.uuid),
      RecordField("major", \.major),
      RecordField("minor", \.minor),
      RecordField("rssiOffset", \.rssiOffset, decimals: 1),
      RecordField("rssiOffsetAccuracy", \.rssiOffsetAccuracy, decimals: 1),
    ]

    /// The identity; nil if a part of it is missing.
    public var identity: BeaconIdentity? {
      guard let uuid, let major, let minor else { return nil }
      return BeaconIdentity(uuid: uuid, major: major, minor: minor)
    }
  }
}
