extension Phrasebook {
  /// The words of a guide about its state and the direction.
  public struct States: Hashable, Sendable {
    /// The state with the name of the destination.
    public let searching: String
    public let lost: String
    public let straightLine: String
    /// The direction without a turn, and the reason: `direction {bearing}; no arrow: {reason}`.
    public let noArrow: String
    public let headingUnknown: String
    public let ahead: String
    /// The shorter turn: `{angle} to the left ({bearing})`.
    public let turn: Sides
    /// The eight points of the compass, from north to the right.
    public let compass: [String]
    public let newRoute: Noun

    public init(
      searching: String, lost: String, straightLine: String, noArrow: String, headingUnknown: String, ahead: String, turn: Sides,
      compass: [String], newRoute: Noun
    ) {
      (self.searching, self.lost, self.straightLine, self.noArrow) = (searching, lost, straightLine, noArrow)
      (self.headingUnknown, self.ahead, self.turn, self.compass, self.newRoute) = (headingUnknown, ahead, turn, compass, newRoute)
    }
  }

  /// The reasons why a guide cannot lead, or leads in a straight line through a venue, each with its remedy.
  public struct Obstacles: Hashable, Sendable {
    public let noCompass: String
    public let uncalibrated: String
    public let disturbed: String
    public let positionUnknown: String
    public let accuracyUnknown: String
    public let inaccurate: String
    public let noFrame: String
    public let noRoute: String
    public let leftRoute: String
    public let noWayNear: String
    /// The end of a straight way.
    ///
    /// The position is inaccurate, in a venue or elsewhere; in front of the venue; or on an unknown level.
    public let nearInaccurate: String
    public let nearInaccurateOutside: String
    public let nearOutside: String
    public let nearLevelUnknown: String
    public let levelUnknown: String
    /// A straight line through a venue, on an unknown level and on a floor that the venue lacks.
    public let straightLevelUnknown: String
    public let straightFloorMissing: String
    public let routeErrors: RouteErrors

    public init(
      noCompass: String, uncalibrated: String, disturbed: String, positionUnknown: String, accuracyUnknown: String,
      inaccurate: String, noFrame: String, noRoute: String, leftRoute: String, noWayNear: String, nearInaccurate: String,
      nearInaccurateOutside: String, nearOutside: String, nearLevelUnknown: String, levelUnknown: String,
      straightLevelUnknown: String, straightFloorMissing: String, routeErrors: RouteErrors
    ) {
      (self.noCompass, self.uncalibrated) = (noCompass, uncalibrated)
      (self.disturbed, self.positionUnknown, self.accuracyUnknown) = (disturbed, positionUnknown, accuracyUnknown)
      (self.inaccurate, self.noFrame, self.noRoute) = (inaccurate, noFrame, noRoute)
      (self.leftRoute, self.noWayNear, self.nearInaccurate) = (leftRoute, noWayNear, nearInaccurate)
      (self.nearInaccurateOutside, self.nearOutside, self.nearLevelUnknown) = (nearInaccurateOutside, nearOutside, nearLevelUnknown)
      (self.levelUnknown, self.straightLevelUnknown, self.straightFloorMissing) = (levelUnknown, straightLevelUnknown, straightFloorMissing)
      self.routeErrors = routeErrors
    }
  }

  /// The texts of `RouteError`.
  public struct RouteErrors: Hashable, Sendable {
    public let startOutside: String
    public let destinationOutside: String
    public let island: String
    public let separateNodes: String
    public let separateParts: String
    public let closed: String
    public let oneWay: String
    public let notAccessible: String
    public let tooComplex: String
    public let invalidPoint: String

    public init(
      startOutside: String, destinationOutside: String, island: String, separateNodes: String, separateParts: String, closed: String,
      oneWay: String, notAccessible: String, tooComplex: String, invalidPoint: String
    ) {
      (self.separateNodes, self.separateParts) = (separateNodes, separateParts)
      (self.startOutside, self.destinationOutside, self.island, self.closed) = (startOutside, destinationOutside, island, closed)
      (self.oneWay, self.notAccessible, self.tooComplex, self.invalidPoint) = (oneWay, notAccessible, tooComplex, invalidPoint)
    }
  }

  /// Returns the reason why there is no route.
  public func text(_ error: RouteError) -> String {
    func metres(_ value: Double) -> String {
      guard value < 10 else { return "\(Int(min(value, 1e7).rounded()))" }
      return "\((value * 10).rounded() / 10)".replacing(".", with: decimalMark)
    }
    let texts = obstacles.routeErrors
    return switch error {
    case .startOutside(let distance): texts.startOutside.filled(["metres": metres(distance)])
    case .destinationOutside(let distance): texts.destinationOutside.filled(["metres": metres(distance)])
    case .island(let from, let to): texts.island.filled(["from": from, "to": to])
    case .separateNodes(let from, let to, let level): texts.separateNodes.filled(["from": from, "to": to, "level": level])
    case .separateParts(let level): texts.separateParts.filled(["level": level])
    case .closed: texts.closed
    case .oneWay: texts.oneWay
    case .notAccessible: texts.notAccessible
    case .tooComplex(let level): texts.tooComplex.filled(["level": level])
    case .invalidPoint: texts.invalidPoint
    }
  }
}
