import FoundationEssentials

/// The state of the guidance to a destination: where to go, and how far it is.
///
/// A direction that cannot be trusted is nil, because the position or the heading is too inaccurate.
public struct Guidance: Hashable, Sendable {
  public enum State: String, Hashable, Sendable {
    /// No position has come yet.
    case searching
    case underWay
    /// No position can be trusted, or no route leads from here.
    case lost
    case arrived
  }

  public enum Mode: String, Hashable, Sendable {
    /// A route in a venue.
    case route
    /// A straight line, outside of the venues and in front of them.
    case direct
  }

  /// The reason for a straight line.
  public enum DirectReason: String, Hashable, Sendable {
    /// The visitor is not in the venue of the destination, or the destination is in none.
    case outside
    /// The visitor is in the venue, on an unknown level or on a floor that the venue lacks.
    case levelUnknown
  }

  /// The side of the shorter turn; `ahead` within 10°, and until the turn exceeds 15°.
  public enum Side: String, Hashable, Sendable {
    case left, right, ahead
  }

  public let state: State
  /// Nil before the first position.
  public let mode: Mode?
  /// The reason for a straight line; nil for a route.
  public let directReason: DirectReason?
  /// A remark about the way to show: that the level is unknown, and on which one the destination is.
  public let note: String?
  /// The ids of the destination as far as it has them, and its name.
  public let venue: String?
  public let place: String?
  public let level: String?
  public let title: String?
  /// Metres along the route, or in a straight line, and the same in words.
  public let distance: Double?
  public let distanceText: String?
  /// The time to the end, and the same in words.
  public let time: Duration?
  public let timeText: String?
  /// Metres of the whole route, and the part of it that is behind the visitor, 0...1.
  public let length: Double?
  public let progress: Double?
  /// Degrees clockwise from true north, 0..<360: along the route, or to the destination.
  public let bearing: Double?
  /// Degrees from the heading to the bearing, positive to the right, -180...180.
  public let turn: Double?
  public let side: Side?
  /// The next step of the route, the metres to it, and both as a sentence.
  public let next: Route.Step?
  public let nextDistance: Double?
  public let nextText: String?
  /// The position for display: on the route, while the visitor is there.
  public let position: Route.Point?
  /// One standard deviation of the position in metres.
  public let accuracy: Double?
  /// The number of routes after the first one.
  public let reroutings: Int
  public let timestamp: Date
}

/// A sentence to show or to speak.
public struct GuidanceInstruction: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// The beginning of a way.
    case start
    /// A step ahead.
    case approach
    /// A step here.
    case now
    /// A landmark on the way.
    case passing
    /// Reassurance on a long way, or the remaining distance of a straight one.
    case progress
    /// The beginning of another route, after the visitor has left the old one.
    case rerouted
    case arrived
  }

  public let kind: Kind
  public let text: String
  /// The language of the text, such as `en`.
  public let language: String?
  /// Metres to the place of the first step.
  public let distance: Double?
  public let steps: [Route.Step]
  public let timestamp: Date
}

/// The end of a guidance.
public struct GuidanceEnd: Hashable, Sendable {
  public enum Reason: String, Hashable, Sendable {
    case arrived
    /// A changed config has removed the destination.
    case destinationGone
    /// The user has withdrawn consent.
    case notAuthorized
    /// A changed config has removed all sources of locations.
    case noLocationSource
    /// Another guidance of the same manager has begun.
    case replaced
    /// A reason of a later version of the service.
    case other
  }

  public let reason: Reason
  /// The human-readable reason.
  public let message: String

  public init(_ reason: Reason, _ message: String) {
    (self.reason, self.message) = (reason, message)
  }
}

/// An element of `LocationManager.guidanceUpdates(_:)`.
public enum GuidanceChange: Hashable, Sendable {
  case state(Guidance)
  /// The route that the guidance follows from now on.
  case route(Route)
  case instruction(GuidanceInstruction)
  /// The guidance cannot lead at present, and continues by itself.
  case failed(LocationError)
  /// The last element.
  case ended(GuidanceEnd)
}
