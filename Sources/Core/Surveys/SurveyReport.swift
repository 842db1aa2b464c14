public import Beacons
public import Instants
public import Records

/// The result of a survey, as text, JSON and a page show it, and as `beaconmon setup` reads it.
///
/// A value is nil if it is unknown.
public struct SurveyReport: RecordRepresentable, Hashable {
  /// The version of the form, which only an incompatible change increases.
  public static let formVersion: UInt64 = 1

  public var version: UInt64?
  /// The times of the first and the last packet.
  public var from: Instant?
  public var until: Instant?
  /// The name of the capture, or `beaconmond`.
  public var source: String?
  public var adapters: [SurveyAdapter]?
  /// The expected list; nil without one.
  public var expectation: SurveyExpectation?
  /// The id of the venue.
  public var venue: String?
  /// The packets of beacons that all adapters have received.
  public var packets: UInt64?
  /// The packets that the source reports as lost.
  public var lostPackets: UInt64?
  public var interference: SurveyInterference?
  /// The beacons that were heard, by identity.
  public var beacons: [SurveyedBeacon]?
  /// The expected beacons that were not heard.
  public var missing: [MissingBeacon]?
  /// The places at which the receiver stood; nil without a venue, as the following values.
  public var places: [SurveyedPlace]?
  public var fingerprints: [SurveyFingerprint]?
  public var coverage: [SurveyCoverage]?
  /// The places whose measurement would help most, the best first.
  public var nextPlaces: [SurveyedPlace]?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("version", \.version),
    RecordField("from", \.from),
    RecordField("until", \.until),
    RecordField("source", \.source),
    RecordField("adapters", \.adapters),
    RecordField("expectation", \.expectation),
    RecordField("venue", \.venue),
    RecordField("packets", \.packets),
    RecordField("lostPackets", \.lostPackets),
    RecordField("interference", \.interference),
    RecordField("beacons", \.beacons),
    RecordField("missing", \.missing),
    RecordField("places", \.places),
    RecordField("fingerprints", \.fingerprints),
    RecordField("coverage", \.coverage),
    RecordField("nextPlaces", \.nextPlaces),
  ]
}

/// An adapter of a survey.
public struct SurveyAdapter: RecordRepresentable, Hashable {
  /// The address, or another name if the source does not know it.
  public var name: String?
  public var packets: UInt64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("name", \.name),
    RecordField("packets", \.packets),
  ]
}

/// The list of expected beacons.
public struct SurveyExpectation: RecordRepresentable, Hashable {
  /// The origin of a list.
  public enum Source: String, Sendable, CaseIterable, RecordFieldValue {
    case config
    case venue
    case list
  }

  public var source: Source?
  /// The number of entries.
  public var beacons: UInt64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("source", \.source),
    RecordField("beacons", \.beacons),
  ]
}

/// The interference at the receiver, which concerns all beacons.
public struct SurveyInterference: RecordRepresentable, Hashable {
  /// The share of the advertisements that were lost while their beacons were received loudly.
  public var loss: Double?
  /// The number of silences of all beacons together, and their length in seconds.
  public var pauses: UInt64?
  public var pauseSeconds: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("loss", \.loss, decimals: 3),
    RecordField("pauses", \.pauses),
    RecordField("pauseSeconds", \.pauseSeconds, decimals: 1),
  ]
}

/// An expected beacon that was not heard. A region of a whole UUID or major has no minor.
public struct MissingBeacon: RecordRepresentable, Hashable {
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  public var name: String?
  /// The id of its place in the venue.
  public var place: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("name", \.name),
    RecordField("place", \.place),
  ]
}
