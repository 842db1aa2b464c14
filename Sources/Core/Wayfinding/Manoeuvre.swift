import Venues

/// One thing that a visitor does on a route.
public struct Manoeuvre: Hashable, Sendable {
  public enum Side: String, CaseIterable, Sendable {
    case left, right
  }

  public enum Kind: Hashable, Sendable {
    /// The beginning, in a direction relative to the visitor's own; nil if that is unknown.
    case start(Turn?)
    /// Straight on where other ways branch off.
    case straight
    case turn(Turn)
    /// Straight on through a door.
    case door
    /// A way to another level, or over steps, a ramp, a moving walkway or a gate on one level.
    ///
    /// The direction is nil between levels of one height.
    case changeLevel(Route.Mode, isUp: Bool?, level: Int)
    /// The way on from stairs, a lift or a gate, straight ahead or where directions are not known.
    case proceed(level: Int)
    case passLandmark(Side)
    /// The end; the side on which the destination lies, nil for straight ahead.
    case arrive(Side?)
  }

  /// A change of direction.
  public struct Turn: Hashable, Sendable {
    public enum Sharpness: String, CaseIterable, Sendable {
      case slight, usual, sharp, around
    }

    public var side: Side
    public var sharpness: Sharpness

    public init(side: Side, sharpness: Sharpness) {
      self.side = side
      self.sharpness = sharpness
    }

    /// - Parameter degrees: positive to the right; below 25 either way it is straight on, and there is no turn.
    public init?(degrees: Double) {
      side = degrees < 0 ? .left : .right
      switch abs(degrees) {
      case ..<25: return nil
      case ..<60: sharpness = .slight
      case ..<120: sharpness = .usual
      case ..<165: sharpness = .sharp
      default: sharpness = .around
      }
    }
  }

  public var kind: Kind
  /// Metres along the route.
  public var offset: Double
  public var place: VenuePoint
  /// Metres to the next manoeuvre; 0 for the last one.
  public var length = 0.0
  /// The direction in which the visitor leaves, in degrees clockwise from the y axis of the plan; nil for the end.
  public var direction: Double?
  /// Whether a door is here.
  public var isAtDoor = false
  /// The change of direction right before stairs, a ramp, a moving walkway or a gate; nil if it is straight ahead or unknown.
  public var entry: Turn?
  /// The index in the venue's `places` of the landmark at this point, or of the one that is passed.
  public var landmark: Int?
  /// The number of legs between levels before this manoeuvre.
  /// Several flights of stairs are one manoeuvre, and steps on a level are not such a leg.
  public var changes = 0
  /// Whether the visitor has just reached another level here.
  public var isOnNewLevel = false

  /// Whether the manoeuvre is a change of direction or of level that a visitor can miss.
  public var isDecision: Bool {
    switch kind {
    case .straight, .turn, .changeLevel, .door: true
    case .start, .proceed, .passLandmark, .arrive: false
    }
  }
}

extension Route {
  /// The distance in metres below which bends belong together, and two turns are one.
  static let bendLength = 2.0
  /// The distance in metres by which a way may differ from a straight line without being a turn.
  static let straightness = 0.6
  /// The distance in metres within which a landmark marks a point, or is passed.
  static let landmarkReach = 5.0

  /// Metres along the route to each vertex.
  var offsets: [Double] { legs.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.length) } }

  /// Returns the manoeuvres from the start to the end.
  ///
  /// - Parameters:
  ///   - heading: the direction of the visitor in degrees clockwise from the y axis of the plan; nil if it is unknown.
  public func manoeuvres(in network: WayNetwork, heading: Double? = nil) -> [Manoeuvre] {
    var maker = ManoeuvreMaker(self, network)
    return maker.make(heading: heading)
  }
}
