import Instants
import Records
import Scoring
import Simulation

/// The result of a simulation, as `beaconmon simulate` prints it.
/// A line counts advertisements; with a score, one line for each region and one for their total follow. In a venue, the score of positions
/// and distances is the same as that of a recorded walk.
public struct SimulationText: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  public func text(_ summary: SimulationSummary) -> String {
    var lines = [facts(summary)]
    if let score = summary.score, !score.regions.isEmpty {
      let title = "region"
      let names = score.regions.map(\.identifier.printable)
      let width = Swift.min(40, names.reduce(title.count) { Swift.max($0, $1.count) })
      lines.append(style.emphasise(line(title, width: width, Self.titles), .faint))
      for (name, region) in zip(names, score.regions) { lines.append(line(name, width: width, values(region.score))) }
      if score.regions.count > 1 { lines.append(style.emphasise(line("all", width: width, values(score.total)), .bold)) }
    }
    let walk = summary.score?.walk.map { WalkScoreText(style: style).text($0) } ?? ""
    return lines.map { $0 + "\n" }.joined() + walk
  }

  /// Returns `quiet shop, seed 1: 8h, 28651 advertisements sent, 20113 received`.
  private func facts(_ summary: SimulationSummary) -> String {
    let title = "\(summary.scenario.printable), seed \(summary.seed): \(summary.duration.text)"
    let traffic = "\(summary.sent) advertisements sent, \(summary.heard) received"
    let places = [summary.fixes.map { "\($0) fixes" }, summary.updates.map { "\($0) updates" }].compactMap(\.self)
    return ([title, traffic] + places).joined(separator: ", ")
  }

  private static let titles = [
    "precision", "recall", "false exits", "stray", "missed", "enter p50", "p99", "max s", "exit p50", "p99", "max s",
  ]

  private func values(_ score: RegionScore) -> [String] {
    let shares = [score.precision, score.recall].map { $0.flatMap { Decimal.text($0, decimals: 4) } }
    let counts: [String?] = [score.falseExits, score.strayEvents, score.missed].map { String($0) }
    let latencies = [score.enterLatency, score.exitLatency].flatMap { latencies in
      [latencies.percentile(0.5), latencies.percentile(0.99), latencies.largest].map {
        $0.flatMap { Decimal.text($0.seconds, decimals: 1) }
      }
    }
    return (shares + counts + latencies).map { $0 ?? style.dash }
  }

  private func line(_ name: String, width: Int, _ columns: [String]) -> String {
    let cells = zip(columns, Self.titles).map { $0.padded(Swift.max(6, $1.count), isRight: true) }
    return ([name.fitted(width)] + cells).joined(separator: "  ")
  }
}
