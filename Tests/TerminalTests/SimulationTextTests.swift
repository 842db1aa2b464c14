import Records
import Terminal
import Testing

@Suite struct SimulationTextTests {
  private static let facts = Record([
    "scenario": .text("quiet shop"), "seed": .count(7), "seconds": .quantity(28_800, decimals: 3), "sent": .count(100), "heard": .count(90),
  ])

  private func score(_ name: String?, precision: Double?) -> Record {
    let latency = Record(["p50": .quantity(1, decimals: 3), "p99": .quantity(2.25, decimals: 3), "max": .quantity(30, decimals: 3)])
    return Record([
      "region": name.map { .text($0) }, "precision": precision.map { .quantity($0, decimals: 4) }, "recall": .quantity(1, decimals: 4),
      "falseExits": .count(12), "strayEvents": .count(0), "missed": .count(3), "enterLatency": .record(latency),
    ])
  }

  @Test func `a simulation without a score prints one line about the radio`() {
    #expect(SimulationText(style: plain).text(Self.facts) == "quiet shop, seed 7: 8h, 100 advertisements sent, 90 received\n")
  }

  @Test func `a score is a table with a line for each region and a total`() {
    var record = Self.facts
    record.append("regions", .list([score("hall", precision: 0.25), score("a longer name", precision: nil)]))
    record.append("total", .record(score(nil, precision: 0.25)))
    #expect(
      SimulationText(style: plain).text(record) == """
        quiet shop, seed 7: 8h, 100 advertisements sent, 90 received
        region         precision  recall  false exits   stray  missed  enter p50     p99   max s  exit p50     p99   max s
        hall              0.2500  1.0000           12       0       3        1.0     2.3    30.0         –       –       –
        a longer name          –  1.0000           12       0       3        1.0     2.3    30.0         –       –       –
        all               0.2500  1.0000           12       0       3        1.0     2.3    30.0         –       –       –

        """)
  }

  @Test func `the total of one region equals that region`() {
    var record = Self.facts
    record.append("regions", .list([score("hall", precision: 1)]))
    record.append("total", .record(score(nil, precision: 1)))
    #expect(SimulationText(style: plain).text(record).split(separator: "\n").count == 3)
  }
}
