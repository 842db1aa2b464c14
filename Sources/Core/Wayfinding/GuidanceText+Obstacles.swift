// The reasons why a guide cannot lead, in the reader's language.

extension GuidanceText {
  /// An obstacle to guidance, except for a missing route.
  public enum Obstacle: Hashable, Sendable {
    case noCompass
    case compassUncalibrated
    case compassDisturbed
    case accuracyUnknown
    /// The accuracy of the position is `metres`, and guidance needs at most `most` metres.
    case inaccurate(metres: Double, most: Double)
    case noFrame
    case levelUnknown
    /// The end of a straight way is near, and the accuracy of the position is `metres`.
    case nearInaccurate(metres: Double, isOutside: Bool)
    case nearOutside
    case nearLevelUnknown
  }

  public func obstacle(_ obstacle: Obstacle) -> String {
    func whole(_ metres: Double) -> String { "\(Int(min(metres, 1e6).rounded()))" }
    let texts = book.obstacles
    return switch obstacle {
    case .noCompass: texts.noCompass
    case .compassUncalibrated: texts.uncalibrated
    case .compassDisturbed: texts.disturbed
    case .accuracyUnknown: texts.accuracyUnknown
    case .inaccurate(let metres, let most): texts.inaccurate.filled(["metres": whole(metres), "most": whole(most)])
    case .noFrame: texts.noFrame
    case .levelUnknown: texts.levelUnknown
    case .nearInaccurate(let metres, let isOutside):
      (isOutside ? texts.nearInaccurateOutside : texts.nearInaccurate).filled(["metres": whole(metres)])
    case .nearOutside: texts.nearOutside
    case .nearLevelUnknown: texts.nearLevelUnknown
    }
  }

  /// Returns the reason why the position is unknown.
  ///
  /// - Parameter reason: the reason of the location sources, which is in English, and which other languages leave to the status.
  public func positionUnknown(_ reason: String) -> String { language == "en" ? reason : book.obstacles.positionUnknown }

  /// Returns the reason why no route leads to a destination from here.
  public func noRoute(to title: String?, _ error: RouteError) -> String {
    book.obstacles.noRoute.filled(["place": name(title), "reason": book.text(error)])
  }

  /// Returns the notice that the visitor has left a route and gets no other.
  ///
  /// - Parameter error: the reason; nil if no way is near.
  public func leftRoute(_ error: RouteError?) -> String {
    book.obstacles.leftRoute.filled(["reason": error.map(book.text) ?? book.obstacles.noWayNear])
  }

  /// Returns the reason for a straight line through a venue: the level of the visitor is unknown.
  ///
  /// - Parameters:
  ///   - title: the name of the destination.
  ///   - level: the name of its level.
  ///   - floor: the floor of the position, which the venue lacks; nil if it is unknown.
  public func straightLine(to title: String?, on level: String, floor: Int?) -> String {
    let text = floor == nil ? book.obstacles.straightLevelUnknown : book.obstacles.straightFloorMissing
    return text.filled(["place": name(title), "level": level, "floor": floor.map { "\($0)" } ?? ""]).capitalized + "."
  }
}
