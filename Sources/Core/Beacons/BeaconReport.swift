import Instants
import Records

/// A beacon in a ranging snapshot, as clients receive it. A value is nil if it is unknown.
public struct BeaconReport: RecordRepresentable, Hashable {
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  public var proximity: BeaconProximity?
  /// Metres.
  public var distance: Double?
  /// One sigma of the distance in metres.
  public var accuracy: Double?
  /// The filtered RSSI in dBm.
  public var rssi: Double?
  /// Advertisements per second.
  public var rate: Double?
  /// The time of the last sighting since the Unix epoch.
  public var lastSeen: Instant?
  /// The method that gave the distance; also nil for a method that this version does not know.
  public var distanceMethod: DistanceMethod?
  /// The name of the place that the beacon stands for in a venue, in the language of the daemon.
  public var place: String?
  /// The id of that place in its venue file.
  public var placeID: String?
  /// The voltage that an expected beacon reports for its battery.
  public var battery: Double?
  /// The temperature in °C that an expected beacon reports.
  public var temperature: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("proximity", \.proximity),
    RecordField("distance", \.distance, decimals: 2),
    RecordField("accuracy", \.accuracy, decimals: 2),
    RecordField("rssi", \.rssi, decimals: 1),
    RecordField("rate", \.rate, decimals: 1),
    RecordField("lastSeen", \.lastSeen),
    RecordField("distanceMethod", \.distanceMethod),
    RecordField("place", \.place),
    RecordField("placeId", \.placeID),
    RecordField("battery", \.battery, decimals: 2),
    RecordField("temperature", \.temperature, decimals: 1),
  ]
}

extension BeaconProximity: RecordFieldValue {}
extension DistanceMethod: RecordFieldValue {}

/// The proximity of a beacon, in the bands that Core Location made common.
public enum BeaconProximity: String, Sendable, CaseIterable {
  case unknown
  /// Below 0.5 m.
  case immediate
  /// Below 3 m.
  case near
  case far
}

/// The methods that turn the filtered RSSI of a beacon into a distance.
public enum DistanceMethod: String, Sendable, CaseIterable {
  /// Path loss alone: the distance at which the beacon is received with this RSSI.
  case plain
  /// The median of the posterior that path loss and a log-normal prior give.
  case bayesian
  /// The median of the posterior of the room filter, which knows where the beacons of the venue hang.
  case indoor
}
