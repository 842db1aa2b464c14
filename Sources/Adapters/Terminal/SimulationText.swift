import Instants
import Records

/// The result of a simulation, as `beaconmon simulate` prints it.
/// A line counts advertisements; with a score, one line for each region and one for their total follow. In a venue, the score of positions
/// and distances is the same as that of a recorded walk.
public struct SimulationText: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  /// - Parameter record: the result as `--json` prints it.
  public func text(_ record: Record) -> String {
    var lines = [facts(record)]
    if let regions = record["regions"]?.list, !regions.isEmpty, let total = record["total"]?.record {
      let title = "region"
      let names = regions.map { ($0["region"]?.text ?? style.dash).printable }
      let width = Swift.min(40, names.reduce(title.count) { Swift.max($0, $1.count) })
      lines.append(style.emphasise(line(title, width: width, Self.titles), .faint))
      for (name, region) in zip(names, regions) { lines.append(line(name, width: width, values(region))) }
      if regions.count > 1 { lines.append(style.emphasise(line("all", width: width, values(total)), .bold)) }
    }
    let walk = record["walk"]?.record.map { WalkScoreText(style: style).text($0) } ?? ""
    return lines.map { $0 + "\n" }.joined() + walk
  }

  /// Returns the first line: `quiet shop, seed 1: 8h, 28651 advertisements sent, 20113 times heard`.
  private func facts(_ record: Record) -> String {
    let name = (record["scenario"]?.text ?? "").printable
    let duration = Span.seconds(record["seconds"]?.number ?? 0).text
    func number(_ key: String) -> String { record[key]?.plainText ?? "?" }
    let air = "\(number("sent")) advertisements sent, \(number("heard")) received"
    let places = [("fixes", "fixes"), ("updates", "updates")].compactMap { key, words in
      record[key]?.plainText.map { "\($0) \(words)" }
    }
    return (["\(name), seed \(number("seed")): \(duration)", air] + places).joined(separator: ", ")
  }

  private static let titles = [
    "precision", "recall", "false exits", "stray", "missed", "enter p50", "p99", "max s", "exit p50", "p99", "max s",
  ]

  private func values(_ score: Record) -> [String] {
    let shares = ["precision", "recall"].map { score[$0]?.plainText }
    let counts = ["falseExits", "strayEvents", "missed"].map { score[$0]?.plainText }
    let latencies = ["enterLatency", "exitLatency"].flatMap { key in
      ["p50", "p99", "max"].map { score[key]?.record?[$0]?.number.flatMap { Decimal.text($0, decimals: 1) } }
    }
    return (shares + counts + latencies).map { $0 ?? style.dash }
  }

  private func line(_ name: String, width: Int, _ columns: [String]) -> String {
    let cells = zip(columns, Self.titles).map { $0.padded(Swift.max(6, $1.count), isRight: true) }
    return ([name.fitted(width)] + cells).joined(separator: "  ")
  }
}
