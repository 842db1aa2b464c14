import BeaconAdvertising
public import Beacons
public import Instants
public import Records

/// A beacon as a survey has heard it. A value is nil if it is unknown.
public struct SurveyedBeacon: RecordRepresentable, Hashable {
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  public var name: String?
  /// The id of its place in the venue.
  public var place: String?
  /// The name of its format, such as `iBeacon`.
  public var format: String?
  /// Whether the expected list has it; nil without a list.
  public var expected: Bool?
  /// The faults; empty for a beacon that is as it should be.
  public var verdicts: [SurveyVerdict]?
  /// The advertisements that were received; one that several adapters receive counts once.
  public var count: UInt64?
  /// Advertisements per second from the first to the last one.
  public var rate: Double?
  /// The mean interval in seconds, and one sigma of single intervals.
  public var interval: Double?
  public var jitter: Double?
  /// The share of the advertisements that were lost while the beacon was in range, from 0 to 1.
  public var loss: Double?
  public var rssi: SignalRange?
  /// The RSSI in dBm at 1 m as the beacon advertises it.
  public var measuredPower: Int64?
  /// The RSSI in dBm at 1 m that fits the survey.
  public var suggestedMeasuredPower: Int64?
  /// One sigma of the suggestion in dB.
  public var suggestedMeasuredPowerAccuracy: Double?
  public var firstHeard: Instant?
  public var lastHeard: Instant?
  /// The number of addresses that have sent the identity.
  public var senders: UInt64?
  /// The better place of a beacon that seems to hang elsewhere.
  public var placedAt: SurveyedPlace?

  public init() {}

  public init(_ identity: BeaconIdentity) {
    (uuid, major, minor) = (identity.uuid, identity.major, identity.minor)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("name", \.name),
    RecordField("place", \.place),
    RecordField("format", \.format),
    RecordField("expected", \.expected),
    RecordField("verdicts", \.verdicts),
    RecordField("count", \.count),
    RecordField("rate", \.rate, decimals: 2),
    RecordField("interval", \.interval, decimals: 4),
    RecordField("jitter", \.jitter, decimals: 4),
    RecordField("loss", \.loss, decimals: 3),
    RecordField("rssi", \.rssi),
    RecordField("measuredPower", \.measuredPower),
    RecordField("suggestedMeasuredPower", \.suggestedMeasuredPower),
    RecordField("suggestedMeasuredPowerAccuracy", \.suggestedMeasuredPowerAccuracy, decimals: 1),
    RecordField("firstHeard", \.firstHeard),
    RecordField("lastHeard", \.lastHeard),
    RecordField("senders", \.senders),
    RecordField("placedAt", \.placedAt),
  ]

  /// The identity; nil if a part of it is missing.
  public var identity: BeaconIdentity? {
    guard let uuid, let major, let minor else { return nil }
    return BeaconIdentity(uuid: uuid, major: major, minor: minor)
  }

  /// Whether the expected list has the beacon, or there is no list.
  public var isAccepted: Bool { verdictKinds.isDisjoint(with: [.foreign, .unexpected]) }

  /// The dB to add to the RSSI of a beacon that advertises the wrong power; nil for any other.
  public var suggestedOffset: Double? {
    guard verdictKinds.contains(.wrongPower), let measuredPower, let suggestedMeasuredPower else { return nil }
    return Double(measuredPower) - Double(suggestedMeasuredPower)
  }

  private var verdictKinds: Set<SurveyVerdict.Kind> { Set((verdicts ?? []).compactMap(\.kind)) }
}

/// The RSSI of a beacon in dBm: the median, and the 10th and 90th percentile.
public struct SignalRange: RecordRepresentable, Hashable {
  public var median: Double?
  public var low: Double?
  public var high: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("median", \.median, decimals: 0),
    RecordField("low", \.low, decimals: 0),
    RecordField("high", \.high, decimals: 0),
  ]
}

/// A fault of a beacon, with its evidence.
public struct SurveyVerdict: RecordRepresentable, Hashable {
  public enum Kind: String, Sendable, CaseIterable, RecordFieldValue {
    /// A beacon of an expected UUID that the list does not have.
    case unexpected
    /// A beacon of a UUID that the list does not have.
    case foreign
    /// Several senders take turns with one identity.
    case duplicate
    /// Another place explains the signal clearly better.
    case moved
    /// The advertised power is not that of the beacon.
    case wrongPower = "wrong-power"
    /// A loud beacon of which many advertisements are lost, though others are not.
    case interference
    /// A beacon that is only heard faintly.
    case weak
  }

  public var kind: Kind?
  /// A sentence without a full stop.
  public var reason: String?

  public init() {}

  init(_ kind: Kind, _ reason: String) {
    (self.kind, self.reason) = (kind, reason)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("kind", \.kind),
    RecordField("reason", \.reason),
  ]
}
