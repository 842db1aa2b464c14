import Records

/// The score of walks with known positions, as `beaconmon replay --score` prints it: one line for each comparison.
public struct WalkScoreText: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  /// Returns the lines of a score, or a table with a column for each of several.
  ///
  /// - Parameters:
  ///   - scores: the records as `--json` prints them, with the names of their configurations.
  ///   - width: columns of the window for several; nil for lines of any width.
  public func text(_ scores: [(name: String, record: Record)], width: Int?) -> String {
    guard scores.count > 1 else { return scores.first.map { text($0.record) } ?? "" }
    var table = TextTable(
      style: style, [TextTable.Column(title: "")] + scores.map { TextTable.Column(title: $0.name.printable, leastWidth: 8) })
    for row in Self.rows where scores.contains(where: { $0.record[row.key] != nil }) {
      table.rows.append([row.label] + scores.map { value($0.record, row.key, decimals: row.decimals) + row.unit })
    }
    return table.lines(width).map { $0 + "\n" }.joined()
  }

  private static let rows: [(key: String, label: String, decimals: Int, unit: String)] = [
    ("nearest", "nearest beacon right", 2, ""), ("distanceErrorMedian", "distance error, median", 2, " m"),
    ("distanceErrorP95", "distance error, p95", 2, " m"), ("shortDistanceErrorMedian", "distance error below 5 m", 2, " m"),
    ("withinOneSigma", "one sigma covers", 2, ""), ("withinTwoSigma", "two sigma cover", 2, ""),
    ("positionErrorMean", "position error, mean", 2, " m"), ("positionErrorP95", "position error, p95", 2, " m"),
    ("positionWithinAccuracy", "within the accuracy", 2, ""), ("wrongLevel", "wrong level", 3, ""), ("precision", "precision", 2, ""),
    ("recall", "recall", 2, ""), ("f1", "F1", 2, ""), ("falseEntersPerMinute", "false enters", 2, "/min"),
    ("grossFalseEntersPerMinute", "gross false enters", 2, "/min"), ("falseExitsPerMinute", "false exits", 2, "/min"),
    ("phantomExitsPerMinute", "phantom exits", 2, "/min"), ("enterLatencyMedian", "enter latency, median", 1, " s"),
  ]

  private func value(_ record: Record, _ key: String, decimals: Int) -> String {
    guard case .quantity(let quantity, _)? = record[key] else { return record[key]?.plainText ?? style.dash }
    return Decimal.text(quantity, decimals: decimals) ?? style.dash
  }

  /// - Parameter record: the score as `--json` prints it.
  public func text(_ record: Record) -> String {
    func value(_ key: String, decimals: Int = 2) -> String { self.value(record, key, decimals: decimals) }
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
