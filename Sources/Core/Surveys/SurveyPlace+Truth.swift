public import Instants
public import Scoring
public import Venues

extension SurveyPlace {
  /// The side in metres of a square in which the signals of a walk count as those of one place.
  private static let square = 2.0

  /// Creates the place of a walk with known positions at a time: the middle of a square. It is nil outside of the walk.
  ///
  /// - Parameter venue: its levels, by the ordinal of the position; a walk without levels belongs to the only one.
  public init?(_ truth: WalkTruth, at time: Instant, in venue: Venue) {
    guard time >= truth.start, time <= truth.end else { return nil }
    let ordinal = truth.level(at: time)
    guard
      let level = ordinal.map({ number in venue.levels.first { $0.ordinal == number } })
        ?? (venue.levels.count == 1 ? venue.levels[0] : nil)
    else { return nil }
    let position = truth.position(at: time)
    func middle(_ value: Double) -> Double { ((value / Self.square).rounded(.down) + 0.5) * Self.square }
    // One height for the walk, because the squares would fall apart otherwise.
    let height = (truth.positions[0].z * 10).rounded() / 10
    self.init(level: level.id, point: PlanPoint(x: middle(position.x), y: middle(position.y)), height: height)
  }
}
