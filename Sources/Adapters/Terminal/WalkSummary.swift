import Records

/// The content of a walk, as `beaconmon replay --summary` prints it: one fact a line.
public struct WalkSummary: Sendable {
  /// `used`, `unused` and `malformed`, as `LineCounts` records them.
  public var sentences: Record
  /// The readings that are no location, by their fault.
  public var refused: Record
  /// The number of readings without a time.
  public var untimed: Int
  public var fixes: Int
  public var events: Int
  /// The time from the first fix to the last.
  public var seconds: Double

  public init(sentences: Record, refused: Record, untimed: Int, fixes: Int, events: Int, seconds: Double) {
    self.sentences = sentences
    self.refused = refused
    self.untimed = untimed
    self.fixes = fixes
    self.events = events
    self.seconds = seconds
  }

  public var text: String {
    var lines = [
      ("sentences", sentences["used"]?.plainText ?? "0"), ("sentences without a position", sentences["unused"]?.plainText ?? "0"),
    ]
    lines += faults("malformed", sentences["malformed"]?.record)
    lines += faults("refused", refused)
    if untimed > 0 { lines.append(("fixes without a time", String(untimed))) }
    lines += [("fixes", String(fixes)), ("events", String(events)), ("seconds of the walk", Decimal.text(seconds, decimals: 3) ?? "?")]
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { $0.0.padded(width) + "  " + $0.1 + "\n" }.joined()
  }

  private func faults(_ title: String, _ counts: Record?) -> [(String, String)] {
    (counts?.fields.map(\.self) ?? []).map { ("\(title): \($0.0)", $0.1.plainText ?? "?") }
  }
}
