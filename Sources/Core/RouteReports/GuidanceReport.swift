public import Instants
public import Records

/// The state of a guide, as clients see it.
public struct GuidanceReport: RecordRepresentable, Hashable {
  public enum State: String, CaseIterable, RecordFieldValue {
    /// No position has come yet.
    case searching
    case underWay
    /// No position can be trusted, or no route leads from here.
    case lost
    case arrived
  }

  public enum Mode: String, CaseIterable, RecordFieldValue {
    /// A route in a venue.
    case route
    /// A straight line.
    case direct
  }

  /// The reason for a straight line.
  public enum DirectReason: String, CaseIterable, RecordFieldValue {
    /// The visitor is not in the venue of the destination, or the destination is in none.
    case outside
    /// The visitor is in the venue, on an unknown level or on a floor that the venue lacks.
    case levelUnknown
  }

  /// The side of the shorter turn; `ahead` within some degrees.
  public enum Side: String, CaseIterable, RecordFieldValue {
    case left, right, ahead
  }

  /// The time since the Unix epoch.
  public var timestamp: Instant?
  public var state: State?
  public var mode: Mode?
  /// The reason for a straight line; nil for a route.
  public var directReason: DirectReason?
  /// A remark about the way in the reader's language: that the level is unknown, and on which one the destination is.
  public var note: String?
  /// The ids of the destination, as far as it has them, and its name.
  public var venue: String?
  public var place: String?
  public var level: String?
  public var title: String?
  /// Metres along the route, or in a straight line.
  public var distance: Double?
  public var distanceText: String?
  /// Seconds to the end.
  public var time: Double?
  public var timeText: String?
  /// Metres of the whole route, and the share that is behind the visitor, 0...1.
  public var length: Double?
  public var progress: Double?
  /// Degrees clockwise from true north: along the route, or to the destination.
  public var bearing: Double?
  /// The shorter turn in degrees, positive to the right.
  public var turn: Double?
  public var side: Side?
  /// The heading of the device that the turn is from, in degrees, and one sigma of it.
  public var heading: Double?
  public var headingAccuracy: Double?
  /// The reason why there is no heading, and what to do; nil with a heading, and until the reason is known.
  public var headingNote: String?
  /// The next step, the metres to it, and both as a sentence.
  public var next: RouteStepReport?
  public var nextDistance: Double?
  public var nextText: String?
  /// The position for display: on the route, while the visitor is there.
  public var position: RoutePointReport?
  /// One sigma of the position in metres.
  public var accuracy: Double?
  /// The number of routes after the first one.
  public var reroutings: UInt64?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("timestamp", \.timestamp),
    RecordField("state", \.state),
    RecordField("mode", \.mode),
    RecordField("directReason", \.directReason),
    RecordField("note", \.note),
    RecordField("venue", \.venue),
    RecordField("place", \.place),
    RecordField("level", \.level),
    RecordField("title", \.title),
    RecordField("distance", \.distance, decimals: 1),
    RecordField("distanceText", \.distanceText),
    RecordField("time", \.time, decimals: 1),
    RecordField("timeText", \.timeText),
    RecordField("length", \.length, decimals: 1),
    RecordField("progress", \.progress, decimals: 3),
    RecordField(direction: "bearing", \.bearing, decimals: 3),
    RecordField("turn", \.turn, decimals: 1),
    RecordField("side", \.side),
    RecordField(direction: "heading", \.heading, decimals: 2),
    RecordField("headingAccuracy", \.headingAccuracy, decimals: 2),
    RecordField("headingNote", \.headingNote),
    RecordField("next", \.next),
    RecordField("nextDistance", \.nextDistance, decimals: 1),
    RecordField("nextText", \.nextText),
    RecordField("position", \.position),
    RecordField("accuracy", \.accuracy, decimals: 2),
    RecordField("reroutings", \.reroutings),
  ]
}

/// The reason why a guide follows a route.
public enum GuidanceRouteReason: String, CaseIterable, RecordFieldValue {
  case start
  /// The visitor has left the route before.
  case rerouted
  /// The file of the venue has changed.
  case venueChanged
}

/// A sentence of a guide, as clients see it.
public struct InstructionReport: RecordRepresentable, Hashable {
  public enum Kind: String, CaseIterable, RecordFieldValue {
    /// The beginning of a route.
    case start
    /// A manoeuvre ahead.
    case approach
    /// A manoeuvre here.
    case now
    /// A landmark on the way.
    case passing
    /// Reassurance on a long way.
    case progress
    /// The beginning of another route, after the visitor has left the old one.
    case rerouted
    case arrived
  }

  /// The time since the Unix epoch.
  public var timestamp: Instant?
  public var kind: Kind?
  public var text: String?
  /// The language of the text, such as `en`.
  public var language: String?
  /// Metres to the place of the first step.
  public var distance: Double?
  public var steps: [RouteStepReport]?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("timestamp", \.timestamp),
    RecordField("kind", \.kind),
    RecordField("text", \.text),
    RecordField("language", \.language),
    RecordField("distance", \.distance, decimals: 1),
    RecordField("steps", \.steps),
  ]
}
