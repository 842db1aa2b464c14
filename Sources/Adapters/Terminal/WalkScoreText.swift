import Records

/// The score of walks with known positions, as `beaconmon replay --score` prints it: one line for each comparison.
public struct WalkScoreText: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  /// - Parameter record: the score as `--json` prints it.
  public func text(_ record: Record) -> String {
    func value(_ key: String, decimals: Int = 2) -> String {
      guard case .quantity(let quantity, _)? = record[key] else { return record[key]?.plainText ?? style.dash }
      return Decimal.text(quantity, decimals: decimals) ?? style.dash
    }
    func count(_ key: String, _ noun: String) -> String {
      let number = record[key]?.plainText ?? "0"
      return "\(number) \(noun)\(number == "1" ? "" : "s")"
    }
    var lines = [
      ("nearest beacon", "\(value("nearest")) of \(count("seconds", "second")) on \(count("walks", "walk"))"),
      (
        "distance error",
        "\(value("distanceErrorMedian")) m median, \(value("distanceErrorP95")) m p95, \(value("shortDistanceErrorMedian")) m median below 5 m"
      ),
      ("accuracy covers", "\(value("withinOneSigma")) with one sigma, \(value("withinTwoSigma")) with two"),
    ]
    if record["positionErrorMean"] != nil {
      lines.append(
        (
          "position error",
          "\(value("positionErrorMean")) m mean, \(value("positionErrorMedian")) m median, \(value("positionErrorP95")) m p95, \(value("positionWithinAccuracy")) within the accuracy"
        ))
    }
    if let wrong = record["wrongLevel"]?.number {
      let share = Decimal.text(100 * wrong, decimals: 1) ?? style.dash
      lines.append(("level", "wrong in \(share) % of \(count("levelSeconds", "second")) away from stairs and lifts"))
    }
    if record["regions"] != nil {
      lines += [
        (
          count("regions", "region"),
          "precision \(value("precision")), recall \(value("recall")), F1 \(value("f1")); \(value("trueCrossings")) true and \(value("reportedCrossings")) reported crossings"
        ),
        ("false enters", "\(value("falseEntersPerMinute")) a minute, \(value("grossFalseEntersPerMinute")) gross"),
        ("false exits", "\(value("falseExitsPerMinute")) a minute, \(value("phantomExitsPerMinute")) phantom"),
        ("enter latency", "\(value("enterLatencyMedian", decimals: 1)) s median"),
      ]
    }
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { "\($0.0.padded(width))  \($0.1)\n" }.joined()
  }
}
