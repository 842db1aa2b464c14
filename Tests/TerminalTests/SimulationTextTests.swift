import Instants
import Terminal
import Testing

@testable import Scoring
@testable import Simulation

@Suite struct SimulationTextTests {
  private static var facts: SimulationSummary {
    var summary = SimulationSummary(scenario: "quiet shop", seed: 7, duration: .seconds(28_800))
    (summary.sent, summary.heard) = (100, 90)
    return summary
  }

  private func score(hits: Int, falseExits: Int, missed: Int) -> RegionScore {
    var score = RegionScore()
    (score.hits, score.falseExits, score.missed) = (hits, falseExits, missed)
    for latency in hits == 0 ? [] : [1, 2.25, 30] { score.enterLatency.add(.seconds(latency)) }
    return score
  }

  @Test func `a simulation without a score prints one line about the radio`() {
    #expect(SimulationText(style: plain).text(Self.facts) == "quiet shop, seed 7: 8h, 100 advertisements sent, 90 received\n")
  }

  @Test func `fixes and updates follow the advertisements`() {
    var summary = Self.facts
    (summary.fixes, summary.updates) = (12, 0)
    #expect(SimulationText(style: plain).text(summary).hasSuffix("90 received, 12 fixes, 0 updates\n"))
  }

  @Test func `a score is a table with a line for each region and a total`() {
    var summary = Self.facts
    summary.score = ScenarioScore(
      regions: [("hall", score(hits: 4, falseExits: 12, missed: 0)), ("a longer name", score(hits: 0, falseExits: 0, missed: 3))], walk: nil
    )
    #expect(
      SimulationText(style: plain).text(summary) == """
        quiet shop, seed 7: 8h, 100 advertisements sent, 90 received
        region         precision  recall  false exits   stray  missed  enter p50     p99   max s  exit p50     p99   max s
        hall              0.2500  1.0000           12       0       0        2.3    30.0    30.0         –       –       –
        a longer name          –  0.0000            0       0       3          –       –       –         –       –       –
        all               0.2500  0.5714           12       0       3        2.3    30.0    30.0         –       –       –

        """)
  }

  @Test func `the total of one region equals that region`() {
    var summary = Self.facts
    summary.score = ScenarioScore(regions: [("hall", score(hits: 4, falseExits: 0, missed: 0))], walk: nil)
    #expect(SimulationText(style: plain).text(summary).split(separator: "\n").count == 3)
  }
}
