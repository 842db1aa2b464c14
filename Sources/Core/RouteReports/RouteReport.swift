public import Records

/// A route as clients see it, in their language.
public struct RouteReport: RecordRepresentable, Hashable {
  /// The id of the venue.
  public var venue: String?
  /// The id and the name of the place at the end.
  public var place: String?
  public var title: String?
  /// Metres.
  public var length: Double?
  /// Seconds.
  public var time: Double?
  /// Whether every part is known to be accessible.
  public var isAccessible: Bool?
  /// One sigma of the start in metres.
  public var startAccuracy: Double?
  /// The metres from the stated start to the beginning of the route; nil for a start on the floor.
  public var startShift: Double?
  /// The text of length and time.
  public var summary: String?
  /// A remark about the route, such as that it begins beside the start.
  public var note: String?
  public var steps: [RouteStepReport]?
  public var points: [RoutePointReport]?
  /// The reason why guidance follows it; nil outside of guidance.
  public var reason: GuidanceRouteReason?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("venue", \.venue),
    RecordField("place", \.place),
    RecordField("title", \.title),
    RecordField("length", \.length, decimals: 1),
    RecordField("time", \.time, decimals: 1),
    RecordField("accessible", \.isAccessible),
    RecordField("startAccuracy", \.startAccuracy, decimals: 2),
    RecordField("startShift", \.startShift, decimals: 1),
    RecordField("summary", \.summary),
    RecordField("note", \.note),
    RecordField("steps", \.steps),
    RecordField("points", \.points),
    RecordField("reason", \.reason),
  ]
}

/// A manoeuvre of a route.
public struct RouteStepReport: RecordRepresentable, Hashable {
  /// `start`, `straight`, `turn`, `door`, `changeLevel`, `proceed`, `passLandmark` or `arrive`.
  public var kind: String?
  /// `left` or `right`.
  public var side: String?
  /// `slight`, `usual`, `sharp` or `around`.
  public var sharpness: String?
  /// The way to another level, such as `stairs` or `lift`.
  public var mode: String?
  /// The id of the place that is a landmark here.
  public var landmark: String?
  public var text: String?
  /// Metres from the start of the route, and to the next step.
  public var offset: Double?
  public var length: Double?
  /// The id and the ordinal of the level after the step.
  public var level: String?
  public var floor: Int64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("kind", \.kind),
    RecordField("side", \.side),
    RecordField("sharpness", \.sharpness),
    RecordField("mode", \.mode),
    RecordField("landmark", \.landmark),
    RecordField("text", \.text),
    RecordField("offset", \.offset, decimals: 1),
    RecordField("length", \.length, decimals: 1),
    RecordField("level", \.level),
    RecordField("floor", \.floor),
  ]
}

/// A point of a route.
public struct RoutePointReport: RecordRepresentable, Hashable {
  /// The point on the plan in metres.
  public var x: Double?
  public var y: Double?
  public var level: String?
  /// The name of the level, of the position of a visitor.
  public var levelName: String?
  public var floor: Int64?
  public var latitude: Double?
  public var longitude: Double?
  /// The id of the node of the venue.
  public var node: String?
  /// The way to the next point: `walk`, `stairs`, `ramp`, `escalator`, `gate`, `lift` or `moving-walkway`; nil at the end.
  public var mode: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("x", \.x, decimals: 3),
    RecordField("y", \.y, decimals: 3),
    RecordField("level", \.level),
    RecordField("levelName", \.levelName),
    RecordField("floor", \.floor),
    RecordField("latitude", \.latitude, decimals: 7),
    RecordField("longitude", \.longitude, decimals: 7),
    RecordField("node", \.node),
    RecordField("mode", \.mode),
  ]
}
