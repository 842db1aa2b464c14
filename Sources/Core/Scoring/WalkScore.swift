import Instants
public import Ranging
import Records

/// The comparison of an engine's output on walks with the true positions.
///
/// The definitions are those of `beaconmon replay --score` in beaconmon(1).
public struct WalkScore: Sendable {
  public internal(set) var walks = 1
  /// The seconds in which beacons were compared.
  public internal(set) var seconds = 0
  /// The seconds in which the first beacon of the snapshot was the nearest.
  public internal(set) var nearestHits = 0
  /// The errors of distances in metres.
  public internal(set) var distanceErrors: [Double] = []
  /// The errors of distances that are truly below 5 m.
  public internal(set) var shortDistanceErrors: [Double] = []
  /// The number of errors that are at most the accuracy, and twice the accuracy.
  public internal(set) var withinAccuracy = (one: 0, two: 0)
  /// The errors of positions in metres, in the plane.
  public internal(set) var positionErrors: [Double] = []
  /// The number of positions with an accuracy, and of those whose error is at most the accuracy.
  public internal(set) var coveredPositions = (count: 0, hits: 0)
  /// The number of positions while the true level is known, and of those on another level.
  public internal(set) var levels = (count: 0, wrong: 0)
  public internal(set) var zones: ZoneScore
  /// The levels of the receivers that positions assume; empty without venues.
  public var receiverLevels: Set<ConfiguredLevel> = []

  /// A true distance below this counts as short, in metres.
  public static let shortDistance = 5.0

  init(zones: ZoneScore) {
    self.zones = zones
  }

  public static func += (total: inout WalkScore, other: WalkScore) {
    total.walks += other.walks
    total.seconds += other.seconds
    total.nearestHits += other.nearestHits
    total.distanceErrors += other.distanceErrors
    total.shortDistanceErrors += other.shortDistanceErrors
    total.withinAccuracy.one += other.withinAccuracy.one
    total.withinAccuracy.two += other.withinAccuracy.two
    total.positionErrors += other.positionErrors
    total.coveredPositions.count += other.coveredPositions.count
    total.coveredPositions.hits += other.coveredPositions.hits
    total.levels.count += other.levels.count
    total.levels.wrong += other.levels.wrong
    total.zones += other.zones
    total.receiverLevels.formUnion(other.receiverLevels)
  }
}

extension WalkScore {
  /// The share of seconds in which the nearest beacon was right; `nil` without seconds.
  public var nearest: Double? { share(nearestHits, of: seconds) }
  /// The share of distances whose error is at most the accuracy; `nil` without distances.
  public var withinOneSigma: Double? { share(withinAccuracy.one, of: distanceErrors.count) }
  /// The share of distances whose error is at most twice the accuracy; `nil` without distances.
  public var withinTwoSigma: Double? { share(withinAccuracy.two, of: distanceErrors.count) }

  /// The share of seconds with a position on a wrong level, away from stairs and lifts; `nil` without known levels.
  public var wrongLevel: Double? { share(levels.wrong, of: levels.count) }

  /// The median error of distances in metres; `nil` without distances.
  public var distanceErrorMedian: Double? { Self.percentile(0.5, of: distanceErrors) }
  /// The error in metres that 95 % of the distances do not exceed; `nil` without distances.
  public var distanceErrorP95: Double? { Self.percentile(0.95, of: distanceErrors) }
  /// The median error in metres of distances that are truly below 5 m; `nil` without such distances.
  public var shortDistanceErrorMedian: Double? { Self.percentile(0.5, of: shortDistanceErrors) }
  /// The mean error of positions in metres; `nil` without positions.
  public var positionErrorMean: Double? {
    positionErrors.isEmpty ? nil : positionErrors.reduce(0, +) / Double(positionErrors.count)
  }
  /// The median error of positions in metres; `nil` without positions.
  public var positionErrorMedian: Double? { Self.percentile(0.5, of: positionErrors) }
  /// The error in metres that 95 % of the positions do not exceed; `nil` without positions.
  public var positionErrorP95: Double? { Self.percentile(0.95, of: positionErrors) }
  /// The share of positions whose error is at most the accuracy; `nil` without positions that have one.
  public var positionWithinAccuracy: Double? { share(coveredPositions.hits, of: coveredPositions.count) }
  /// The median of the times in seconds from true enters to reported ones; `nil` without any.
  public var enterLatencyMedian: Double? { Self.percentile(0.5, of: zones.enterLatencies.map(\.seconds)) }

  private func share(_ part: Int, of all: Int) -> Double? { all == 0 ? nil : Double(part) / Double(all) }

  /// The level of the receivers that positions assume, as in `known, with an rssi-offset of -6 dB`.
  public var receiverLevelText: String {
    func offsets(_ isCalibrated: Bool) -> String? {
      let offsets = receiverLevels.filter { $0.isCalibrated == isCalibrated }.map(\.offset).sorted()
      guard !offsets.isEmpty else { return nil }
      let list = offsets.map { Decimal.text($0, decimals: 1) ?? "unknown" }.joined(separator: " or ")
      return "\(isCalibrated ? "known" : "learned"), with an rssi-offset of \(list) dB"
    }
    return [offsets(true), offsets(false)].compactMap(\.self).joined(separator: "; ")
  }

  /// Returns a percentile with linear interpolation between ranks; `nil` without values.
  public static func percentile(_ share: Double, of values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let rank = share * Double(sorted.count - 1)
    let below = Int(rank)
    guard below + 1 < sorted.count else { return sorted[below] }
    return sorted[below] + (rank - Double(below)) * (sorted[below + 1] - sorted[below])
  }

  /// The values of `beaconmon replay --score --json`. Values that the walks do not give are absent.
  public var record: Record {
    func metres(_ value: Double?) -> RecordValue? { value.map { .quantity($0, decimals: 3) } }
    func part(_ value: Double?) -> RecordValue? { value.map { .quantity($0, decimals: 4) } }
    var record = Record([
      "walks": .count(UInt64(walks)), "seconds": .count(UInt64(seconds)), "nearest": part(nearest),
      "distanceErrorMedian": metres(distanceErrorMedian),
      "distanceErrorP95": metres(distanceErrorP95),
      "shortDistanceErrorMedian": metres(shortDistanceErrorMedian), "withinOneSigma": part(withinOneSigma),
      "withinTwoSigma": part(withinTwoSigma),
    ])
    if !positionErrors.isEmpty {
      record.append("positionErrorMean", metres(positionErrorMean))
      record.append("positionErrorMedian", metres(positionErrorMedian))
      record.append("positionErrorP95", metres(positionErrorP95))
      record.append("positionWithinAccuracy", part(positionWithinAccuracy))
    }
    if levels.count > 0 {
      record.append("levelSeconds", .count(UInt64(levels.count)))
      record.append("wrongLevel", part(wrongLevel))
    }
    if !receiverLevels.isEmpty { record.append("receiverLevel", .text(receiverLevelText)) }
    guard zones.zones > 0 else { return record }
    record.append("regions", .count(UInt64(zones.zones)))
    record.append("trueCrossings", .count(UInt64(zones.trueCrossings)))
    record.append("reportedCrossings", .count(UInt64(zones.reportedCrossings)))
    record.append("precision", part(zones.precision))
    record.append("recall", part(zones.recall))
    record.append("f1", part(zones.f1))
    record.append("falseEntersPerMinute", .quantity(zones.falseEntersPerMinute, decimals: 2))
    record.append("grossFalseEntersPerMinute", .quantity(zones.grossFalseEntersPerMinute, decimals: 2))
    record.append("falseExitsPerMinute", .quantity(zones.falseExitsPerMinute, decimals: 2))
    record.append("phantomExitsPerMinute", .quantity(zones.phantomExitsPerMinute, decimals: 2))
    record.append("enterLatencyMedian", metres(enterLatencyMedian))
    return record
  }
}
