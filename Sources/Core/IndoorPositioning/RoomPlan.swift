public import Venues

/// A floor of a building as the room filter needs it.
public struct RoomLevel: Hashable, Sendable {
  /// Zero is the ground floor.
  public var ordinal: Int
  /// The height of the floor in metres above any origin that the levels share.
  public var elevation: Double
  /// Rings around everything inside, in metres, by the even-odd rule.
  ///
  /// Without a ring, a box around the walkable area and the transmitters takes its place.
  public var outline: [[PlanPoint]]
  /// The areas that visitors can walk in; overlapping ones add up. Without one it is all of the inside.
  public var walkable: [PlanPolygon]
  /// The areas that visitors cannot walk in, such as voids; overlapping ones add up.
  public var obstacles: [PlanPolygon]
  /// Points in cells that visitors cannot walk in, for an occupancy grid.
  public var blockedCells: [PlanPoint]

  public init(
    ordinal: Int, elevation: Double = 0, outline: [[PlanPoint]] = [], walkable: [PlanPolygon] = [], obstacles: [PlanPolygon] = [],
    blockedCells: [PlanPoint] = []
  ) {
    self.ordinal = ordinal
    self.elevation = elevation
    self.outline = outline
    self.walkable = walkable
    self.obstacles = obstacles
    self.blockedCells = blockedCells
  }
}

/// A transmitter at a known place: a beacon, or an access point.
public struct RoomTransmitter: Hashable, Sendable {
  /// A name that does not change when the plan does; it identifies learned offsets.
  public var identity: String
  /// The ordinal of the transmitter's level.
  public var level: Int
  public var point: PlanPoint
  /// The height in metres above the floor.
  public var height: Double
  /// The expected RSSI in dBm at 1 m.
  public var power: Double
  /// The dB that the configuration adds to the RSSI. Sightings contain them already.
  public internal(set) var offset: Double

  /// The assumed height in metres of a transmitter whose height is unknown.
  public static let usualHeight = 2.0

  public init(identity: String, level: Int = 0, point: PlanPoint, height: Double = usualHeight, power: Double, offset: Double = 0) {
    self.identity = identity
    self.level = level
    self.point = point
    self.height = height
    self.power = power
    self.offset = offset
  }
}

/// Stairs, an escalator or a lift: the places where visitors change floors.
public struct RoomPassage: Hashable, Sendable {
  /// The area on one level that leads to the other stops.
  public struct Stop: Hashable, Sendable {
    /// The ordinal of the level.
    public var level: Int
    public var area: [[PlanPoint]]

    public init(level: Int, area: [[PlanPoint]]) {
      self.level = level
      self.area = area
    }
  }

  /// The stops from the bottom to the top. Neighbours in the list are connected.
  public var stops: [Stop]

  public init(stops: [Stop]) {
    self.stops = stops
  }
}

/// The reason for which no model can be made of a plan.
public enum RoomModelError: Error, Hashable, Sendable {
  case noTransmitters
  /// Two levels share an ordinal.
  case repeatedLevel(ordinal: Int)
  /// Two transmitters share an identity.
  case repeatedTransmitter(identity: String)
  case unknownLevel(ordinal: Int)
  /// A number is not finite, or beyond the largest magnitude of a coordinate.
  case invalidNumber
  /// The levels are too large for the coarsest grid.
  case tooLarge(metres: Double)
}

extension RoomModelError: CustomStringConvertible {
  /// The reason and the remedy, in the words of a venue file.
  public var description: String {
    switch self {
    case .noTransmitters: "the venue file has no beacon; add at least four [[beacon]]"
    case .repeatedLevel(let ordinal): "two levels have the ordinal \(ordinal); give each level its own"
    case .repeatedTransmitter(let identity): "the beacon \(identity) is there twice; remove one"
    case .unknownLevel(let ordinal): "a beacon, stairs or a lift is on the ordinal \(ordinal), which no level has; add the level"
    case .invalidNumber: "a position, a height or a power is not a number, or is too large; correct it"
    case .tooLarge(let metres): "the levels are \(Int(min(metres, 1e9))) m long, which is too large; divide the venue into several files"
    }
  }
}
