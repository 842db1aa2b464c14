import Foundation
import Metrics
import Status
import TestSupport
import Testing

/// The names against the conventions of Prometheus, the reference, the dashboard and the rules.
@Suite struct MetricReferenceTests {
  @Test func `the reference has every metric with its type, its labels and its explanation`() throws {
    let table = try text("Docs/metrics.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = Reference.families.map { family in
      let labels = family.samples.flatMap(\.labels).map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      let cell = labels.isEmpty ? "" : labels.map { "`\($0)`" }.joined(separator: ", ") + " "
      return "| `\(family.name)` | \(family.kind.rawValue) | \(cell)| \(family.help) |"
    }
    #expect(Set(table) == Set(expected), "the rows to write:\n\(expected.filter { !table.contains($0) }.joined(separator: "\n"))")
    #expect(table.count == expected.count)
  }

  @Test func `no name is used twice, and counters end in _total`() {
    let names = Reference.families.map(\.name)
    #expect(Set(names).count == names.count)
    for family in Reference.families { #expect((family.kind == .counter) == family.name.hasSuffix("_total"), "\(family.name)") }
  }

  @Test func `no sample appears twice`() {
    for family in Reference.families { #expect(Set(family.samples.map(\.labels)).count == family.samples.count, "\(family.name)") }
  }

  @Test(arguments: ["Docs/examples/monitoring/dashboard.json", "Docs/examples/monitoring/alerts.yml"])
  func `the dashboard and the rules use only metrics that exist`(file: String) throws {
    let known = Set(Reference.families.map(\.name))
    let used = try text(file).matches(of: /\b(?:beaconmon|process)_[a-z_]+/).map { String($0.output) }
    #expect(!used.isEmpty)
    #expect(used.filter { !known.contains($0) && !$0.hasSuffix("_") } == [])
  }

  @Test func `the dashboard is JSON with a query in every panel`() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: Fixture.repository("Docs/examples/monitoring/dashboard.json")))
    let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let panels = try #require(dashboard["panels"] as? [[String: Any]])
    #expect(panels.count > 5)
    for panel in panels {
      let targets = try #require(panel["targets"] as? [[String: Any]], "\(panel["title"] ?? "")")
      #expect(targets.allSatisfy { ($0["expr"] as? String)?.isEmpty == false })
    }
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: Fixture.repository(path), encoding: .utf8) }
}
