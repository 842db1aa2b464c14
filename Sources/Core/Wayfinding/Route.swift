public import Instants
public import Venues

/// A point of a venue: on the plan, and on a level.
public struct VenuePoint: Hashable, Sendable {
  public var point: PlanPoint
  /// The index of the level in the venue.
  public var level: Int

  public init(_ point: PlanPoint, level: Int) {
    self.point = point
    self.level = level
  }
}

/// A way from a point of a venue to a destination.
public struct Route: Hashable, Sendable {
  public enum Mode: String, CaseIterable, Sendable {
    case walk, stairs, ramp, escalator, gate, lift
    case movingWalkway = "moving-walkway"

    init(_ kind: RouteEdge.Kind) {
      switch kind {
      case .walk: self = .walk
      case .stairs: self = .stairs
      case .ramp: self = .ramp
      case .escalator: self = .escalator
      case .gate: self = .gate
      case .movingWalkway: self = .movingWalkway
      }
    }
  }

  /// A point of the route.
  public struct Vertex: Hashable, Sendable {
    public var place: VenuePoint
    public var isDoor: Bool
    /// The id of the venue's node; nil for another point.
    public var node: String?
    /// The directions of other stated ways from here, in degrees clockwise from the y axis of the plan.
    public var branches: [Double]
  }

  /// The way from one vertex to the next.
  public struct Leg: Hashable, Sendable {
    public var mode: Mode
    /// Metres; 0 in a lift.
    public var length: Double
    public var time: Span
    /// The index in the venue's `lifts`.
    public var lift: Int?
    public var isAccessible: Bool
    public var hazards: Int
    /// Whether the leg is a straight line beside the ways of the network.
    var isStraight = false
  }

  /// The destination as the visitor named it, which may lie beside the end of the route.
  public struct Destination: Hashable, Sendable {
    public var place: VenuePoint
    /// The index in the venue's `places`; nil for a point.
    public var index: Int?
    /// The distance in metres within which a visitor has arrived.
    public var radius: Double

    public init(_ place: VenuePoint, index: Int? = nil, radius: Double = Place.usualRadius) {
      self.place = place
      self.index = index
      self.radius = radius
    }
  }

  /// The vertices from the start to the end, at least one.
  public var vertices: [Vertex]
  /// The legs between the vertices, one fewer than these.
  public var legs: [Leg]
  public var destination: Destination
  /// One sigma of the start in metres; nil if it is exact.
  public var startAccuracy: Double?
  /// The metres from the stated start to the floor, where the route begins.
  public var startShift = 0.0

  /// Metres on foot; lifts are not included.
  public var length: Double { legs.reduce(0) { $0 + $1.length } }
  public var time: Span { legs.reduce(.zero) { $0 + $1.time } }
  /// The number of hazards, which the accessible profile avoids before it shortens the way.
  public var hazards: Int { legs.reduce(0) { $0 + $1.hazards } }
  /// Whether every leg is known to be accessible.
  public var isAccessible: Bool { legs.allSatisfy(\.isAccessible) }
  public var end: VenuePoint { vertices[vertices.count - 1].place }
}

/// The needs of a visitor.
public struct RouteProfile: Hashable, Sendable {
  /// Metres a second on the floor.
  public var speed: Double
  /// Whether each way must be known to be accessible. Then the safest route is found, and the shortest one among the safest.
  public var isAccessible: Bool

  /// The speed of OpenTripPlanner.
  public static let shortest = RouteProfile(speed: 1.33)
  /// The speed of MOTIS for wheelchairs.
  public static let accessible = RouteProfile(speed: 0.8, isAccessible: true)

  public init(speed: Double = 1.33, isAccessible: Bool = false) {
    self.speed = speed
    self.isAccessible = isAccessible
  }

  /// Returns the seconds that a way takes.
  ///
  /// Stairs take three times as long as the floor, and an escalator moves at 0.45 m/s (OpenTripPlanner).
  func seconds(_ mode: Route.Mode, length: Double) -> Double {
    let (metres, seconds) = Self.parts(mode, length: length)
    return metres / speed + seconds
  }

  /// Returns the metres on the floor that take as long as a way, and the seconds that do not depend on the speed.
  static func parts(_ mode: Route.Mode, length: Double) -> (metres: Double, seconds: Double) {
    switch mode {
    case .walk, .ramp, .movingWalkway: (length, 0)
    case .stairs: (3 * length, 0)
    case .escalator: (0, length / 0.45)
    case .gate: (length, gateDelay)
    case .lift: (0, 0)
    }
  }

  /// The seconds at a gate.
  private static let gateDelay = 5.0

  func seconds(_ link: WayNetwork.Link) -> Double { link.fixedTime ?? seconds(link.mode, length: link.length) }
}

/// The reason why there is no route.
public enum RouteError: Error, Hashable, Sendable {
  /// The start is this many metres from the floor that visitors can walk on.
  case startOutside(metres: Double)
  case destinationOutside(metres: Double)
  /// No way leads from the level of the start to the destination on another one.
  case island(from: String, to: String)
  /// No way leads between two parts of one level, of which these are the nearest nodes.
  case separateNodes(from: String, to: String, level: String)
  /// The start and the destination are on one level, of which at least one part has no nodes.
  case separateParts(level: String)
  /// The only ways are closed.
  case closed
  /// The only ways lead in the other direction.
  case oneWay
  /// A way that is not known to be accessible.
  case notAccessible
  /// The level has no ways, and is too complex to derive them.
  case tooComplex(level: String)
  /// A number is not finite, or the level does not exist.
  case invalidPoint
}

extension RouteError: CustomStringConvertible {
  public var description: String { Phrasebook.english.text(self) }
}
