/// A request for a route, or for guidance along one.
public struct RouteRequest: Hashable, Sendable {
  /// A point to go to, or to start from.
  public enum Place: Hashable, Sendable {
    /// The id or the title of a place in a venue, or words that find exactly one place.
    case place(String)
    /// The nearest way to a level, by its id. It is not a start.
    case level(String)
    /// Metres on the plan of a venue, and the id of the level; nil if the venue has only one.
    case plan(x: Double, y: Double, level: String?)
    /// A coordinate. In a venue of several levels it needs the id of one.
    ///
    /// Outside of the venues guidance follows a straight line.
    case coordinate(LocationCoordinate2D, level: String?)
  }

  public var destination: Place
  /// The start of a route; nil for the position of the device. Guidance ignores it.
  public var start: Place?
  /// The id of the venue, which is required if several have the destination.
  public var venue: String?
  /// Whether only ways are used that are known to be accessible, the safest first.
  public var isAccessible: Bool
  /// Metres a second, 0.1...5; nil for 1.33, or 0.8 if accessible.
  public var speed: Double?
  /// The distance in metres within which guidance ends, 1...1000; nil for that of the place, and 10 outside of the venues.
  public var arrivalRadius: Double?
  /// The language of the texts, such as `de_CH.UTF-8` or `de:en`; nil for that of the service.
  public var language: String?
  /// Whether lengths in texts are metres; feet and miles otherwise.
  public var isMetric: Bool

  public init(
    to destination: Place, from start: Place? = nil, venue: String? = nil, isAccessible: Bool = false, speed: Double? = nil,
    arrivalRadius: Double? = nil, language: String? = nil, isMetric: Bool = true
  ) {
    (self.destination, self.start, self.venue, self.isAccessible) = (destination, start, venue, isAccessible)
    (self.speed, self.arrivalRadius, self.language, self.isMetric) = (speed, arrivalRadius, language, isMetric)
  }
}

/// A way to a destination, with its steps.
public struct Route: Hashable, Sendable {
  /// A thing that a visitor does on the way.
  public struct Step: Hashable, Sendable {
    /// `start`, `straight`, `turn`, `door`, `changeLevel`, `proceed`, `passLandmark` or `arrive`.
    public let kind: String
    /// `left` or `right`; nil for neither.
    public let side: String?
    /// `slight`, `usual`, `sharp` or `around`, for a turn, also for one right before stairs or a gate.
    public let sharpness: String?
    /// The way to another level, such as `stairs` or `lift`.
    public let mode: String?
    /// The id of a place that marks the step.
    public let landmark: String?
    /// The sentence in the requested language.
    public let text: String
    /// Metres from the beginning of the route.
    public let offset: Double
    /// Metres to the next step; 0 for the last one.
    public let length: Double
    /// The id of the level after the step, and its number; 0 is the ground floor.
    public let level: String?
    public let floor: Int?
  }

  /// A point of the way.
  public struct Point: Hashable, Sendable {
    /// Metres on the plan of the venue; nil outside of the venues.
    public let x: Double?
    public let y: Double?
    /// The id of the level, and its number; 0 is the ground floor.
    public let level: String?
    public let floor: Int?
    /// Nil if the location of the venue on the earth is unknown.
    public let coordinate: LocationCoordinate2D?
    /// The way to the next point, such as `walk` or `stairs`; nil at the end.
    public let mode: String?
  }

  /// The id of the venue.
  public let venue: String?
  /// The id and the name of the place at the end.
  public let place: String?
  public let title: String?
  /// Metres on foot.
  public let length: Double
  public let time: Duration
  /// Whether every part is known to be accessible.
  public let isAccessible: Bool
  /// The length and the time in words.
  public let summary: String
  public let steps: [Step]
  public let points: [Point]
}
