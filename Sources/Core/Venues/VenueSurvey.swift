public import Beacons

/// The mean RSSI of beacons at places where a receiver stood for a while.
///
/// A survey describes how walls and furniture change the signals of a venue, which a plan cannot.
public struct VenueSurvey: Hashable, Sendable {
  public struct Reading: Hashable, Sendable {
    /// The id of the level.
    public let level: String
    public let point: PlanPoint
    /// The height in metres of the receiver above the floor.
    public let height: Double
    public let beacon: BeaconIdentity
    /// The mean RSSI in dBm.
    public let rssi: Double
  }

  /// A place and a beacon, which a survey has once.
  private struct Key: Hashable {
    let level: String
    let point: PlanPoint
    let beacon: BeaconIdentity
  }

  /// The columns that a file must have. `level`, `uuid` and `major` are needed only where they are not unique.
  public static let columns = ["x_m", "y_m", "z_m", "minor", "rssi"]
  /// The area in square metres for which a survey needs one place. With fewer, positions become worse than without a survey.
  public static let areaOfPlace = 8.0
  /// The maximum number of lines of a file, which bounds memory and the time of a start.
  public static let mostReadings = 20_000

  /// The file relative to the folder of the venue file.
  public let file: String
  public let readings: [Reading]
  /// The lines about beacons that the venue does not have.
  public let unknownBeacons: Int

  /// The number of places at which beacons were measured.
  public var places: Int {
    struct Spot: Hashable {
      let level: String
      let point: PlanPoint
    }
    return Set(readings.map { Spot(level: $0.level, point: $0.point) }).count
  }

  /// Reads lines of a position in metres on the plan, with `z_m` above the floor, and the mean RSSI in dBm of a beacon.
  public init(csv: String, file: String, of venue: Venue) throws(PositionTableError) {
    self.file = file
    let levels = Set(venue.levels.map(\.id))
    let beacons = Dictionary(grouping: venue.beacons.map(\.identity), by: \.minor)
    var readings: [Reading] = []
    var unknown = 0
    var lines: [Key: Int] = [:]
    for row in try PositionTable(csv, required: Self.columns, most: Self.mostReadings).rows {
      let level = try Self.level(row, levels)
      let position = try row.position()
      let rssi = try row.number("rssi", within: 127)
      guard rssi <= 20 else { throw PositionTableError(line: row.line, "rssi: \(rssi) is not an RSSI; write dBm, such as -71.5") }
      guard let beacon = try Self.beacon(row, beacons) else {
        unknown += 1
        continue
      }
      let point = PlanPoint(x: position.x, y: position.y)
      if let first = lines.updateValue(row.line, forKey: Key(level: level, point: point, beacon: beacon)) {
        throw PositionTableError(line: row.line, "line \(first) has this beacon at this place already; write one line with the mean RSSI")
      }
      readings.append(Reading(level: level, point: point, height: position.z, beacon: beacon, rssi: rssi))
    }
    (self.readings, unknownBeacons) = (readings, unknown)
  }

  private static func level(_ row: PositionTable.Row, _ levels: Set<String>) throws(PositionTableError) -> String {
    guard let level = row.text("level") else {
      if levels.count == 1, let only = levels.first { return only }
      throw PositionTableError(line: row.line, "the level is missing; the venue has several levels, so write the id of one")
    }
    guard levels.contains(level) else {
      let some = levels.sorted().prefix(5).joined(separator: ", ")
      throw PositionTableError(line: row.line, "level: the venue has no such level; its levels are \(some)")
    }
    return level
  }

  /// Returns the beacon of a line; nil if the venue has none.
  private static func beacon(
    _ row: PositionTable.Row, _ beacons: [UInt16: [BeaconIdentity]]
  ) throws(PositionTableError) -> BeaconIdentity? {
    guard let minor = try row.short("minor") else { throw PositionTableError(line: row.line, "minor: is empty") }
    let (uuid, major) = (try row.uuid("uuid"), try row.short("major"))
    let found = (beacons[minor] ?? []).filter { (uuid == nil || $0.uuid == uuid) && (major == nil || $0.major == major) }
    guard found.count < 2 else {
      throw PositionTableError(line: row.line, "minor: the venue has several beacons of minor \(minor); add the columns uuid and major")
    }
    return found.first
  }
}
