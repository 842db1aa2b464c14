import Beacons
import Geodesy
public import Records

/// A level of a venue as clients see it, in their language, with everything that is needed to draw it.
public struct PlanReport: RecordRepresentable, Hashable {
  /// The id of the venue.
  public var venue: String?
  public var venueName: String?
  /// The id of the level.
  public var level: String?
  /// The ordinal of the level.
  public var floor: Int64?
  public var name: String?
  public var shortName: String?
  /// The place of [0, 0] on the earth.
  public var latitude: Double?
  public var longitude: Double?
  /// The direction of y, clockwise from true north.
  public var bearing: Double?
  public var walkable: [AreaReport]?
  public var voids: [AreaReport]?
  public var walls: [WallReport]?
  public var beacons: [PlannedBeaconReport]?
  /// The file of the picture.
  public var image: String?
  /// The size of the picture in pixels.
  public var width: UInt64?
  public var height: UInt64?
  /// The corners of the picture on the earth, from the top left one clockwise; nil without anchors.
  public var corners: [PointReport]?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("venue", \.venue),
    RecordField("venueName", \.venueName),
    RecordField("level", \.level),
    RecordField("floor", \.floor),
    RecordField("name", \.name),
    RecordField("shortName", \.shortName),
    RecordField("latitude", \.latitude, decimals: 7),
    RecordField("longitude", \.longitude, decimals: 7),
    RecordField(direction: "bearing", \.bearing, decimals: 3),
    RecordField("walkable", \.walkable),
    RecordField("voids", \.voids),
    RecordField("walls", \.walls),
    RecordField("beacons", \.beacons),
    RecordField("image", \.image),
    RecordField("width", \.width),
    RecordField("height", \.height),
    RecordField("corners", \.corners),
  ]
}

/// The outline of an area.
public struct AreaReport: RecordRepresentable, Hashable {
  public var points: [PointReport]?

  public init() {}

  public static let fields: [RecordField<Self>] = [RecordField("points", \.points)]
}

/// A wall on a plan.
public struct WallReport: RecordRepresentable, Hashable {
  /// The two ends.
  public var points: [PointReport]?
  /// The attenuation in dB.
  public var attenuation: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("points", \.points), RecordField("attenuation", \.attenuation, decimals: 3),
  ]
}

/// A beacon on a plan.
public struct PlannedBeaconReport: RecordRepresentable, Hashable {
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  public var x: Double?
  public var y: Double?
  /// Metres above the floor.
  public var height: Double?
  /// The measured RSSI in dBm at 1 m.
  public var power: Double?
  /// The name for the staff.
  public var name: String?

  public init() {}

  /// Nil if a part of the identity is missing.
  public var identity: BeaconIdentity? {
    guard let uuid, let major, let minor else { return nil }
    return BeaconIdentity(uuid: uuid, major: major, minor: minor)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("x", \.x, decimals: 3),
    RecordField("y", \.y, decimals: 3),
    RecordField("height", \.height, decimals: 3),
    RecordField("power", \.power, decimals: 1),
    RecordField("name", \.name),
  ]
}

extension Venue {
  /// Returns a level with all its parts, in the reader's language.
  public func report(of level: VenueLevel, preferring languages: [String]) -> PlanReport {
    var report = PlanReport()
    (report.venue, report.venueName) = (id, name(preferring: languages))
    (report.level, report.floor) = (level.id, Int64(level.ordinal))
    (report.name, report.shortName) = (level.name.text(preferring: languages), level.shortName.text(preferring: languages))
    (report.latitude, report.longitude, report.bearing) = (frame?.origin.latitude, frame?.origin.longitude, frame?.bearing)
    report.walkable = level.walkable.map(AreaReport.init)
    report.voids = level.voids.map(AreaReport.init)
    report.walls = walls.filter { $0.level == level.id }.map(WallReport.init)
    report.beacons = beacons.filter { $0.level == level.id }.map(PlannedBeaconReport.init)
    guard let picture = level.picture else { return report }
    (report.image, report.width, report.height) = (picture.image, UInt64(picture.width), UInt64(picture.height))
    let (width, height) = (Double(picture.width), Double(picture.height))
    let corners = [(0, 0), (width, 0), (width, height), (0, height)].compactMap {
      picture.transform?.coordinate(for: PlanPoint(x: $0.0, y: $0.1))
    }
    guard corners.count == 4 else { return report }
    report.corners = corners.map { corner in
      var point = PointReport()
      (point.latitude, point.longitude) = (corner.latitude, corner.longitude)
      return point
    }
    return report
  }
}

extension AreaReport {
  fileprivate init(_ polygon: PlanPolygon) { points = polygon.ring.map(PointReport.init) }
}

extension WallReport {
  fileprivate init(_ wall: VenueWall) {
    (points, attenuation) = ([PointReport(wall.from), PointReport(wall.to)], wall.attenuation)
  }
}

extension PlannedBeaconReport {
  fileprivate init(_ beacon: PlannedBeacon) {
    (uuid, major, minor) = (beacon.identity.uuid, beacon.identity.major, beacon.identity.minor)
    (x, y, height) = (beacon.position.x, beacon.position.y, beacon.height)
    (power, name) = (beacon.power, beacon.name)
  }
}
