import Instants

/// The probabilities and times from which the device counts as inside an area of a venue, and as outside.
public struct AreaRule: Hashable, Sendable {
  /// The minimum probability that the device is inside, from which an enter counts.
  public let entryProbability: Double
  /// The time for which the probability must be at least that.
  public let entryHold: Span
  /// The greatest probability that the device is inside, up to which an exit counts.
  public let exitProbability: Double
  /// The time for which the probability must be at most that.
  public let exitHold: Span

  /// The rule of places: a visitor leaves one within seconds, and the position is an average over some seconds already.
  /// Decision 76 has the measurements.
  public static let place = AreaRule(entryProbability: 0.6, entryHold: .zero, exitProbability: 0.4, exitHold: .seconds(2))
  /// The rule of levels and whole venues: a late event of a long visit costs less than a needless one on the stairs.
  public static let wide = AreaRule(entryProbability: 0.6, entryHold: .seconds(2), exitProbability: 0.25, exitHold: .seconds(5))

  /// Returns where the device is if it is inside with this probability.
  public func position(at probability: Double) -> AreaPosition {
    if probability >= entryProbability { return .inner }
    return probability <= exitProbability ? .outer : .border
  }
}

extension VenueArea.Part {
  /// The rule by which the area is entered and left.
  public var rule: AreaRule {
    switch self {
    case .place: .place
    case .level, .whole: .wide
    }
  }
}
