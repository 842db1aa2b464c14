public import Beacons
public import Instants
public import Records
public import Venues

/// A place on the plan of a venue where a receiver measures.
public struct SurveyPlace: Hashable, Sendable {
  /// The height in metres above the floor at which receivers are carried.
  public static let usualHeight = 1.5

  /// The id of the level.
  public var level: String
  public var point: PlanPoint
  /// The height of the receiver in metres above the floor.
  public var height: Double
  public var name: String?

  public init(level: String, point: PlanPoint, height: Double = usualHeight, name: String? = nil) {
    (self.level, self.point, self.height, self.name) = (level, point, height, name)
  }
}

/// The signals of the beacons of a venue at a place.
struct SurveyStation {
  struct Key: Hashable {
    let beacon: BeaconIdentity
    let adapter: UInt16
  }

  struct Signal {
    var sum = 0.0
    var count = 0
    var power = 0.0

    var mean: Double { sum / Double(count) }
  }

  /// The minimum number of packets of a mean.
  static let fewestPackets = 3

  let place: SurveyPlace
  let first: Instant
  private(set) var last: Instant
  private(set) var signals: [Key: Signal] = [:]

  init(_ place: SurveyPlace, at time: Instant) {
    self.place = place
    (first, last) = (time, time)
  }

  mutating func hear(_ rssi: Int8, power: Int8, _ key: Key, at time: Instant) {
    last = max(last, time)
    var signal = signals[key] ?? Signal()
    (signal.sum, signal.count, signal.power) = (signal.sum + Double(rssi), signal.count + 1, Double(power))
    signals[key] = signal
  }

  /// The mean RSSI of each beacon with enough packets, of all adapters together.
  var fingerprint: [(beacon: BeaconIdentity, rssi: Double, packets: Int)] {
    var all: [BeaconIdentity: Signal] = [:]
    for (key, signal) in signals {
      all[key.beacon, default: Signal()].sum += signal.sum
      all[key.beacon, default: Signal()].count += signal.count
    }
    return all.filter { $0.value.count >= Self.fewestPackets }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.mean, $0.value.count) }
  }
}

/// A place of a survey in its report.
public struct SurveyedPlace: RecordRepresentable, Hashable {
  /// The id of the level.
  public var level: String?
  /// Metres on the plan.
  public var x: Double?
  public var y: Double?
  /// The height of the receiver in metres above the floor.
  public var height: Double?
  public var name: String?
  public var from: Instant?
  public var until: Instant?
  /// The number of beacons with a mean RSSI.
  public var beacons: UInt64?
  public var packets: UInt64?

  public init() {}

  /// Creates a place without signals, such as one that would help.
  init(_ place: SurveyPlace) {
    (level, x, y, name) = (place.level, place.point.x, place.point.y, place.name)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("level", \.level),
    RecordField("x", \.x, decimals: 2),
    RecordField("y", \.y, decimals: 2),
    RecordField("height", \.height, decimals: 2),
    RecordField("name", \.name),
    RecordField("from", \.from),
    RecordField("until", \.until),
    RecordField("beacons", \.beacons),
    RecordField("packets", \.packets),
  ]
}

/// The mean RSSI of a beacon at a place.
public struct SurveyFingerprint: RecordRepresentable, Hashable {
  public var level: String?
  public var x: Double?
  public var y: Double?
  public var height: Double?
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  public var rssi: Double?
  public var packets: UInt64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("level", \.level),
    RecordField("x", \.x, decimals: 2),
    RecordField("y", \.y, decimals: 2),
    RecordField("height", \.height, decimals: 2),
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("rssi", \.rssi, decimals: 1),
    RecordField("packets", \.packets),
  ]
}

/// The parts of a level that a survey and its beacons cover.
public struct SurveyCoverage: RecordRepresentable, Hashable {
  public var level: String?
  /// The share of the floor where enough beacons are in range for a position.
  public var positioned: Double?
  /// The share of the floor that is near a measured place.
  public var surveyed: Double?
  /// The number of measured places, and the minimum number that improves positions.
  public var places: UInt64?
  public var wantedPlaces: UInt64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("level", \.level),
    RecordField("positioned", \.positioned, decimals: 3),
    RecordField("surveyed", \.surveyed, decimals: 3),
    RecordField("places", \.places),
    RecordField("wantedPlaces", \.wantedPlaces),
  ]
}
