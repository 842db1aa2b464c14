import Records

/// The content of a walk, as `beaconmon replay --summary` prints it: one fact a line.
public struct WalkSummary: Sendable {
  public var sentences: LineStatistics
  /// The readings that are not a location, by their fault.
  public var refused: NamedCounts
  /// The number of readings without a time.
  public var untimed: Int
  public var fixes: Int
  public var events: Int
  /// The time from the first fix to the last.
  public var seconds: Double

  public init(sentences: LineStatistics, refused: NamedCounts, untimed: Int, fixes: Int, events: Int, seconds: Double) {
    self.sentences = sentences
    self.refused = refused
    self.untimed = untimed
    self.fixes = fixes
    self.events = events
    self.seconds = seconds
  }

  public var text: String {
    var lines = [
      ("sentences", String(sentences.used ?? 0)), ("sentences without a position", String(sentences.unused ?? 0)),
    ]
    lines += faults("malformed", sentences.malformed ?? [:])
    lines += faults("refused", refused)
    if untimed > 0 { lines.append(("fixes without a time", String(untimed))) }
    lines += [("fixes", String(fixes)), ("events", String(events)), ("seconds of the walk", Decimal.text(seconds, decimals: 3) ?? "?")]
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { $0.0.padded(width) + "  " + $0.1 + "\n" }.joined()
  }

  private func faults(_ title: String, _ counts: NamedCounts) -> [(String, String)] {
    counts.entries.map { ("\(title): \($0.name)", String($0.count)) }
  }
}
