import Beacons
import Instants
import Records

/// A configured region with its state and its definition, as clients see it. Values that do not apply to its kind are nil.
public struct RegionStatus: RecordRepresentable, Hashable {
  public var identifier: String?
  public var kind: RegionKind?
  public var report = RegionReport()
  /// The number of needless exits and enters since yesterday.
  public var flaps: UInt64?
  /// The setting that would prevent them, in the syntax of the config; nil if it is not needed.
  public var advice: String?

  // MARK: Beacon regions

  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  public var exitDelay: Span?
  public var learnsExitDelay: Bool?
  /// Nil while it equals `exitDelay`.
  public var learnedExitDelay: Span?
  /// Metres.
  public var within: Double?
  /// Metres.
  public var leaveBeyond: Double?
  public var hold: Span?
  public var nearestOnly: Bool?
  /// dBm.
  public var minimumRSSI: Double?
  public var enterSightings: UInt16?
  public var enterTime: Span?

  // MARK: All regions

  public var dwell: Span?
  /// The initial state; nil if it is unknown.
  public var assume: RegionState?
  public var notifyOnEntry: Bool?
  public var notifyOnExit: Bool?

  // MARK: Circles

  /// Degrees, WGS84.
  public var latitude: Double?
  /// Degrees, WGS84.
  public var longitude: Double?
  /// Metres.
  public var radius: Double?
  public var scanOnlyNear: Bool?
  /// Metres per second.
  public var scanOnlyBelow: Double?

  // MARK: Places in venues

  /// The id of the place; nil for a whole level.
  public var place: String?
  /// The id of the level; nil for a place.
  public var level: String?
  /// The id of the venue; nil if the definition does not name it.
  public var venue: String?

  public init() {}

  /// The beacons of the region; nil if it has none.
  public var constraint: BeaconConstraint? { uuid.flatMap { BeaconConstraint(uuid: $0, major: major, minor: minor) } }

  public static let fields: [RecordField<Self>] =
    [
      RecordField("identifier", \.identifier),
      RecordField("kind", \.kind),
    ] + RegionReport.fields.map { $0.of(\.report) } + [
      RecordField("flaps", \.flaps),
      RecordField("advice", \.advice),
      RecordField("uuid", \.uuid),
      RecordField("major", \.major),
      RecordField("minor", \.minor),
      RecordField("exitDelay", \.exitDelay),
      RecordField("learnsExitDelay", \.learnsExitDelay),
      RecordField("learnedExitDelay", \.learnedExitDelay),
      RecordField("within", \.within, decimals: 2, isExact: true),
      RecordField("leaveBeyond", \.leaveBeyond, decimals: 2, isExact: true),
      RecordField("hold", \.hold),
      RecordField("nearestOnly", \.nearestOnly),
      RecordField("minimumRssi", \.minimumRSSI, decimals: 3, isExact: true),
      RecordField("enterSightings", \.enterSightings),
      RecordField("enterTime", \.enterTime),
      RecordField("dwell", \.dwell),
      RecordField("assume", \.assume),
      RecordField("notifyOnEntry", \.notifyOnEntry),
      RecordField("notifyOnExit", \.notifyOnExit),
      RecordField("latitude", \.latitude, decimals: 7, isExact: true),
      RecordField("longitude", \.longitude, decimals: 7, isExact: true),
      RecordField("radius", \.radius, decimals: 2, isExact: true),
      RecordField("scanOnlyNear", \.scanOnlyNear),
      RecordField("scanOnlyBelow", \.scanOnlyBelow, decimals: 3, isExact: true),
      RecordField("place", \.place),
      RecordField("level", \.level),
      RecordField("venue", \.venue),
    ]
}
