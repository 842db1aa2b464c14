import RoomSimulation

/// The limits of the figures of one setting.
struct RoomLimits {
  /// The maximum number of changes of room of a still tag a day.
  private static let mostFlaps = 1.0

  /// The minimum precision and recall of the surveyed filter.
  private let least: (precision: Double, recall: Double)

  /// 0.95 where it is reached. Elsewhere a little less than the figures in Docs/fleet/rooms.md, so that a loss is noticed.
  init(of setting: RoomSetting) {
    least =
      switch setting {
      case .heavy: (0.93, 0.95)
      case .light: (0.86, 0.87)
      case .gallery: (0.84, 0.9)
      default: (0.95, 0.95)
      }
  }

  /// Returns the figures that miss a limit.
  ///
  /// - Parameter scores: those of the rules of a `RoomTrial`, in its order.
  func faults(of scores: [(rule: String, score: RoomScore)]) -> [String] {
    func score(_ rule: String) -> RoomScore? { scores.first { $0.rule == rule }?.score }
    guard let surveyed = score("this filter, surveyed"), let filter = score("this filter"), let rival = score("Bermuda, calibrated") else {
      return ["a rule is missing"]
    }
    var faults: [String] = []
    if surveyed.precision < least.precision { faults.append("precision \(surveyed.precision), at least \(least.precision)") }
    if surveyed.recall < least.recall { faults.append("recall \(surveyed.recall), at least \(least.recall)") }
    for (name, score) in [("surveyed", surveyed), ("not surveyed", filter)] {
      if score.flapsPerDay > Self.mostFlaps { faults.append("\(name): \(score.flapsPerDay) flaps a day, at most \(Self.mostFlaps)") }
      if score.precision <= rival.precision { faults.append("\(name): precision \(score.precision), Bermuda \(rival.precision)") }
      if score.recall <= rival.recall { faults.append("\(name): recall \(score.recall), Bermuda \(rival.recall)") }
    }
    return faults
  }
}
