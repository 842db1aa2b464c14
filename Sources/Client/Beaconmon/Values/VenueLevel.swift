import FoundationEssentials
internal import Beacons
internal import Geodesy
internal import Venues

/// A level of a venue, with everything that is needed to draw it. Points are metres on the plan of the venue, with y up.
public struct VenueLevel: Hashable, Sendable, Identifiable {
  /// The identity of a level among those of all venues.
  public struct ID: Hashable, Sendable {
    public let venue: String
    public let level: String
  }

  public struct Wall: Hashable, Sendable {
    public let from: FloorPlan.Point
    public let to: FloorPlan.Point
    /// The attenuation of a signal that crosses the wall, in dB.
    public let attenuation: Double?
  }

  public struct PlannedBeacon: Hashable, Sendable {
    public let identity: BeaconIdentityCondition
    public let point: FloorPlan.Point
    /// The height in metres above the floor.
    public let height: Double?
  }

  /// A picture of the plan.
  public struct Picture: Hashable, Sendable {
    /// A file on this machine.
    public let file: String
    /// The size in pixels.
    public let width: Int
    public let height: Int
    /// The corners on the earth, from the top left one clockwise; empty if they are unknown.
    public let corners: [LocationCoordinate2D]
  }

  /// The id of the venue.
  public let venue: String
  public let venueName: String
  /// The id of the level.
  public let level: String
  /// The floor; 0 is the ground floor.
  public let floor: Int
  public let name: String?
  /// A name for a button, such as `1`.
  public let shortName: String?
  /// The areas where visitors can be; empty if they are unknown, and in lists of levels.
  public let walkable: [[FloorPlan.Point]]
  /// The areas within the walkable ones where no visitor can be; empty in lists of levels.
  public let voids: [[FloorPlan.Point]]
  /// The walls; empty in lists of levels.
  public let walls: [Wall]
  /// The beacons where they hang; empty in lists of levels.
  public let beacons: [PlannedBeacon]
  public let picture: Picture?
  /// The coordinate of the plan's origin; nil if the location of the venue on the earth is unknown.
  public let origin: LocationCoordinate2D?
  /// The direction of the plan's y axis, in degrees clockwise from true north.
  public let bearing: Double?

  public var id: ID { ID(venue: venue, level: level) }

  /// Returns the point of a coordinate on the plan; nil if the location of the venue on the earth is unknown.
  public func point(for coordinate: LocationCoordinate2D) -> FloorPlan.Point? {
    guard let frame, let coordinate = coordinate.coordinate else { return nil }
    let point = frame.point(for: coordinate)
    return FloorPlan.Point(x: point.x, y: point.y)
  }

  /// Returns the coordinate of a point of the plan; nil if the location of the venue on the earth is unknown.
  public func coordinate(for point: FloorPlan.Point) -> LocationCoordinate2D? {
    frame?.coordinate(for: PlanPoint(x: point.x, y: point.y)).map {
      LocationCoordinate2D(latitude: $0.latitude, longitude: $0.longitude)
    }
  }

  private var frame: VenueFrame? { origin?.coordinate.map { VenueFrame(origin: $0, bearing: bearing ?? 0) } }
}

extension VenueLevel {
  /// Creates a level; nil if its identity is incomplete.
  init?(_ report: PlanReport) {
    guard let venue = report.venue, let level = report.level else { return nil }
    (self.venue, self.level) = (venue, level)
    venueName = report.venueName ?? venue
    floor = report.floor.flatMap { Int(exactly: $0) } ?? 0
    (name, shortName) = (report.name, report.shortName)
    walkable = (report.walkable ?? []).map { FloorPlan.Point.list($0.points) }
    voids = (report.voids ?? []).map { FloorPlan.Point.list($0.points) }
    walls = (report.walls ?? []).compactMap { wall in
      let ends = FloorPlan.Point.list(wall.points)
      return ends.count == 2 ? Wall(from: ends[0], to: ends[1], attenuation: wall.attenuation) : nil
    }
    beacons = (report.beacons ?? []).compactMap { beacon in
      guard let identity = beacon.identity, let x = beacon.x, let y = beacon.y else { return nil }
      let condition = BeaconIdentityCondition(uuid: UUID(identity.uuid), major: identity.major, minor: identity.minor)
      return PlannedBeacon(identity: condition, point: FloorPlan.Point(x: x, y: y), height: beacon.height)
    }
    picture = report.image.map { file in
      Picture(
        file: file, width: report.width.flatMap { Int(exactly: $0) } ?? 0, height: report.height.flatMap { Int(exactly: $0) } ?? 0,
        corners: (report.corners ?? []).compactMap { LocationCoordinate2D($0.latitude, $0.longitude) })
    }
    (origin, bearing) = (LocationCoordinate2D(report.latitude, report.longitude), report.bearing)
  }
}
