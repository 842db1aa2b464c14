import Records
import Scoring

/// The score of walks with known positions, as `beaconmon replay --score` prints it: one line for each comparison.
public struct WalkScoreText: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  /// Returns the lines of a score, or a table with a column for each of several.
  ///
  /// - Parameters:
  ///   - scores: the scores with the names of their configurations.
  ///   - width: columns of the window for several; nil for lines of any width.
  public func text(_ scores: [(name: String, score: WalkScore)], width: Int?) -> String {
    guard scores.count > 1 else { return scores.first.map { text($0.score) } ?? "" }
    var table = TextTable(
      style: style, [TextTable.Column(title: "")] + scores.map { TextTable.Column(title: $0.name.printable, leastWidth: 8) })
    for row in Self.rows where scores.contains(where: { row.value($0.score) != nil }) {
      table.rows.append([row.label] + scores.map { text(row.value($0.score), decimals: row.decimals) + row.unit })
    }
    if scores.contains(where: { !$0.score.receiverLevels.isEmpty }) {
      table.rows.append(["receiver level"] + scores.map { $0.score.receiverLevels.isEmpty ? style.dash : $0.score.receiverLevelText })
    }
    return table.lines(width).map { $0 + "\n" }.joined()
  }

  private typealias Row = (value: @Sendable (WalkScore) -> Double?, label: String, decimals: Int, unit: String)

  private static let rows: [Row] = [
    ({ $0.nearest }, "nearest beacon right", 2, ""), ({ $0.distanceErrorMedian }, "distance error, median", 2, " m"),
    ({ $0.distanceErrorP95 }, "distance error, p95", 2, " m"), ({ $0.shortDistanceErrorMedian }, "distance error below 5 m", 2, " m"),
    ({ $0.withinOneSigma }, "one sigma covers", 2, ""), ({ $0.withinTwoSigma }, "two sigma cover", 2, ""),
    ({ $0.positionErrorMean }, "position error, mean", 2, " m"), ({ $0.positionErrorP95 }, "position error, p95", 2, " m"),
    ({ $0.positionWithinAccuracy }, "within the accuracy", 2, ""), ({ $0.wrongLevel }, "wrong level", 3, ""),
    ({ $0.regions?.precision }, "precision", 2, ""), ({ $0.regions?.recall }, "recall", 2, ""), ({ $0.regions?.f1 }, "F1", 2, ""),
    ({ $0.regions?.falseEntersPerMinute }, "false enters", 2, "/min"),
    ({ $0.regions?.grossFalseEntersPerMinute }, "gross false enters", 2, "/min"),
    ({ $0.regions?.falseExitsPerMinute }, "false exits", 2, "/min"), ({ $0.regions?.phantomExitsPerMinute }, "phantom exits", 2, "/min"),
    ({ $0.regions == nil ? nil : $0.enterLatencyMedian }, "enter latency, median", 1, " s"),
  ]

  private func text(_ value: Double?, decimals: Int = 2) -> String { value.flatMap { Decimal.text($0, decimals: decimals) } ?? style.dash }

  /// Returns the lines of one score.
  public func text(_ score: WalkScore) -> String {
    var lines = [
      ("nearest beacon", "\(text(score.nearest)) of \(Count.text(score.seconds, "second")) on \(Count.text(score.walks, "walk"))"),
      (
        "distance error",
        "\(text(score.distanceErrorMedian)) m median, \(text(score.distanceErrorP95)) m p95, "
          + "\(text(score.shortDistanceErrorMedian)) m median below 5 m"
      ),
      ("accuracy covers", "\(text(score.withinOneSigma)) with one sigma, \(text(score.withinTwoSigma)) with two"),
    ]
    if let mean = score.positionErrorMean {
      lines.append(
        (
          "position error",
          "\(text(mean)) m mean, \(text(score.positionErrorMedian)) m median, \(text(score.positionErrorP95)) m p95, "
            + "\(text(score.positionWithinAccuracy)) within the accuracy"
        ))
    }
    if !score.receiverLevels.isEmpty { lines.append(("receiver level", score.receiverLevelText)) }
    if let wrong = score.wrongLevel {
      let seconds = Count.text(score.levels.count, "second")
      lines.append(("level", "wrong in \(text(100 * wrong, decimals: 1)) % of \(seconds) away from stairs and lifts"))
    }
    if let zones = score.regions {
      lines += [
        (
          Count.text(zones.zones, "region"),
          "precision \(text(zones.precision)), recall \(text(zones.recall)), F1 \(text(zones.f1)); "
            + "\(zones.trueCrossings) true and \(zones.reportedCrossings) reported crossings"
        ),
        ("false enters", "\(text(zones.falseEntersPerMinute)) a minute, \(text(zones.grossFalseEntersPerMinute)) gross"),
        ("false exits", "\(text(zones.falseExitsPerMinute)) a minute, \(text(zones.phantomExitsPerMinute)) phantom"),
        ("enter latency", "\(text(score.enterLatencyMedian, decimals: 1)) s median"),
      ]
    }
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { "\($0.0.padded(width))  \($0.1)\n" }.joined()
  }
}

extension WalkScore {
  /// The comparison of regions; nil if the walks have none.
  fileprivate var regions: ZoneScore? { zones.zones > 0 ? zones : nil }
}
