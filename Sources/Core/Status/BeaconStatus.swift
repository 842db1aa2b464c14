import Beacons
import Events
import Instants
import Records

/// The health of an expected beacon.
public struct BeaconStatus: RecordRepresentable, Hashable {
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  /// The name of the beacon's place, or its name in the config or by the staff.
  public var place: String?
  /// The present problems; nil if there are none.
  public var problems: [Problem]?
  /// Whether the beacon was heard for long enough, so that its silence counts.
  public var isLearned: Bool?
  /// The time of the last advertisement since the Unix epoch; nil if there was none since the start.
  public var lastSeen: Instant?
  /// The longest usual gap between two advertisements.
  public var longestGap: Span?
  /// The present RSSI in dBm.
  public var rssi: Double?
  /// The usual RSSI in dBm.
  public var usualRSSI: Double?
  /// The voltage that the beacon reports.
  public var battery: Double?
  /// The temperature in °C that the beacon reports.
  public var temperature: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("place", \.place),
    RecordField("problems", \.problems),
    RecordField("learned", \.isLearned),
    RecordField("lastSeen", \.lastSeen),
    RecordField("longestGap", \.longestGap),
    RecordField("rssi", \.rssi, decimals: 1),
    RecordField("usualRssi", \.usualRSSI, decimals: 1),
    RecordField("battery", \.battery, decimals: 2),
    RecordField("temperature", \.temperature, decimals: 1),
  ]

  /// A present problem of the beacon.
  public struct Problem: RecordRepresentable, Hashable {
    /// The event that reported it: `beacon-missing`.
    public var event: Event.Kind?
    /// The time of this event since the Unix epoch.
    public var since: Instant?
    public var cause: Event.Cause?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("event", \.event),
      RecordField("since", \.since),
      RecordField("cause", \.cause),
    ]
  }
}
