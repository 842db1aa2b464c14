public import Instants
public import RouteReports
import Venues

/// A position of the visitor who is guided.
public struct GuidedPosition: Hashable, Sendable {
  public var place: VenuePoint
  /// One sigma in metres, along each axis.
  public var accuracy: Double
  /// The direction of the visitor in degrees clockwise from the y axis of the plan; nil if it is unknown.
  public var heading: Double?
  /// Whether the visitor walks, by the steps of the device; nil if it is unknown.
  public var isWalking: Bool?
  public var time: Instant

  public init(_ place: VenuePoint, accuracy: Double, heading: Double? = nil, isWalking: Bool? = nil, time: Instant) {
    self.place = place
    self.accuracy = accuracy
    self.heading = heading
    self.isWalking = isWalking
    self.time = time
  }
}

/// One announcement to a visitor.
public struct Announcement: Hashable, Sendable {
  public typealias Kind = InstructionReport.Kind

  public var kind: Kind
  /// The manoeuvre, and those that follow so closely that they belong to it.
  public var manoeuvres: [Manoeuvre]
  /// Metres to the first manoeuvre.
  public var distance: Double
}

/// The output of a guide for one position.
public struct GuidanceOutput: Hashable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    case underWay, arrived
    /// No route leads from here, or the position cannot be trusted.
    case lost
  }

  public var state: State
  /// The position on the route, for display; the given one while the visitor may be off the route.
  public var matched: VenuePoint
  /// Metres and time to the end.
  public var remainingLength: Double
  public var remainingTime: Span
  /// The next manoeuvre, and the metres to it.
  public var next: Manoeuvre?
  public var distance: Double
  public var announcements: [Announcement]
  /// The speed on foot in m/s, when a measurement of some metres is complete.
  public var pace: Double?
}
