public import Instants

/// A point of the route graph.
public struct RouteNode: Hashable, Sendable {
  public var id: String
  /// The id of its level.
  public var level: String
  public var position: PlanPoint
  /// The id of the place that the node leads to.
  public var place: String?
  /// Whether the node stands in a door.
  public var isDoor: Bool

  public init(
    id: String, level: String = VenueLevel.defaultID, position: PlanPoint, place: String? = nil, isDoor: Bool = false
  ) {
    self.id = id
    self.level = level
    self.position = position
    self.place = place
    self.isDoor = isDoor
  }
}

/// Whether a wheelchair passes. Unknown is not accessible.
public enum WheelchairAccess: String, CaseIterable, Sendable {
  case yes, no, unknown
}

/// A way between two nodes.
public struct RouteEdge: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case walk, stairs, ramp, escalator, gate
    case movingWalkway = "moving-walkway"
  }

  /// The ids of its nodes.
  public var from: String
  public var to: String
  public var kind: Kind
  public var isTwoWay: Bool
  /// Whether the edge is closed for now, so that no route takes it.
  public var isClosed: Bool
  /// `unknown` for that of the level.
  public var wheelchair: WheelchairAccess
  /// The length in metres; nil for the distance on the plan.
  public var length: Double?
  /// The time that it takes; nil to compute it from the length.
  public var time: Span?
  /// The number of steps.
  public var steps: Int?
  /// The greatest slope: 0.083 is one in twelve.
  public var slope: Double?
  /// The minimum width in metres.
  public var width: Double?

  public init(
    from: String, to: String, kind: Kind = .walk, isTwoWay: Bool = true, wheelchair: WheelchairAccess = .unknown, length: Double? = nil,
    time: Span? = nil, steps: Int? = nil, slope: Double? = nil, width: Double? = nil, isClosed: Bool = false
  ) {
    self.from = from
    self.to = to
    self.kind = kind
    self.isTwoWay = isTwoWay
    self.wheelchair = wheelchair
    self.length = length
    self.time = time
    self.steps = steps
    self.slope = slope
    self.width = width
    self.isClosed = isClosed
  }
}

/// A lift between levels. It is boarded once, however many levels it passes.
public struct RouteLift: Hashable, Sendable {
  /// OpenTripPlanner's defaults.
  public static let defaultBoardTime = Span.seconds(90)
  public static let defaultLevelTime = Span.seconds(20)

  public var id: String
  /// The ids of the nodes at its doors, one for each level, at least two.
  public var stops: [String]
  /// The time until it has come and opened.
  public var boardTime: Span
  /// The time from one level to the next.
  public var levelTime: Span
  public var wheelchair: WheelchairAccess
  /// Whether the lift is out of order.
  public var isClosed: Bool

  public init(
    id: String, stops: [String], boardTime: Span = defaultBoardTime, levelTime: Span = defaultLevelTime,
    wheelchair: WheelchairAccess = .unknown, isClosed: Bool = false
  ) {
    self.id = id
    self.stops = stops
    self.boardTime = boardTime
    self.levelTime = levelTime
    self.wheelchair = wheelchair
    self.isClosed = isClosed
  }
}

/// An event at a place and time, such as a tour.
public struct Appointment: Hashable, Sendable {
  public static let defaultMargin = Span.seconds(300)

  public var title: LocalizedText
  public var at: Instant
  /// The id of its place.
  public var place: String
  /// The time before an appointment at which a visitor wants to arrive.
  public var margin: Span

  public init(title: LocalizedText = LocalizedText(), at: Instant, place: String, margin: Span = defaultMargin) {
    self.title = title
    self.at = at
    self.place = place
    self.margin = margin
  }
}
