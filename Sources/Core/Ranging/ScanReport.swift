import Beacons
import Instants
import Records

/// All beacons in range since a scan began, as clients receive them. A value is nil if it is unknown.
public struct ScanReport: RecordRepresentable, Hashable {
  public var time: Instant?
  /// The start of the scan.
  public var since: Instant?
  /// The UUIDs, strongest first, those that are gone last.
  public var uuids: [Group]?
  /// The number of all UUIDs, listed or not.
  public var uuidCount: UInt64?
  public var beaconCount: UInt64?
  /// The number of gone beacons that made room for others; nil if there were none.
  public var forgotten: UInt64?
  /// The number of advertisements of beacons for which there was no room; nil if there were none.
  public var unlisted: UInt64?
  /// The number of advertisements of all kinds.
  public var advertisements: UInt64?
  public var kinds: NamedCounts?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("time", \.time),
    RecordField("since", \.since),
    RecordField("uuids", \.uuids),
    RecordField("uuidCount", \.uuidCount),
    RecordField("beaconCount", \.beaconCount),
    RecordField("forgotten", \.forgotten),
    RecordField("unlisted", \.unlisted),
    RecordField("advertisements", \.advertisements),
    RecordField("kinds", \.kinds),
  ]
}

extension ScanReport {
  /// The beacons of one UUID.
  public struct Group: RecordRepresentable, Hashable {
    public var uuid: BeaconUUID?
    /// The number of its beacons, listed or not.
    public var count: UInt64?
    /// dBm, of the strongest beacon.
    public var rssi: Double?
    /// Metres to the strongest beacon.
    public var distance: Double?
    /// Advertisements per second of all its beacons.
    public var rate: Double?
    public var lastSeen: Instant?
    /// The beacons, strongest first, those that are gone last.
    public var beacons: [Beacon]?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("uuid", \.uuid),
      RecordField("count", \.count),
      RecordField("rssi", \.rssi, decimals: 1),
      RecordField("distance", \.distance, decimals: 2),
      RecordField("rate", \.rate, decimals: 1),
      RecordField("lastSeen", \.lastSeen),
      RecordField("beacons", \.beacons),
    ]
  }

  /// One beacon of a UUID.
  public struct Beacon: RecordRepresentable, Hashable {
    public var major: UInt16?
    public var minor: UInt16?
    /// dBm.
    public var rssi: Double?
    /// Metres.
    public var distance: Double?
    /// Advertisements per second.
    public var rate: Double?
    public var lastSeen: Instant?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("major", \.major),
      RecordField("minor", \.minor),
      RecordField("rssi", \.rssi, decimals: 1),
      RecordField("distance", \.distance, decimals: 2),
      RecordField("rate", \.rate, decimals: 1),
      RecordField("lastSeen", \.lastSeen),
    ]
  }
}
