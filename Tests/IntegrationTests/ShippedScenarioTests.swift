import Foundation
import TestSupport
import Testing

/// The scenarios that are shipped, of beacons that nobody touches: every exit is false.
@Suite struct ShippedScenarioTests {
  private static let month = Programs.repository("Docs/examples/scenarios/still-beacon-month.toml")
  private static let mall = Programs.repository("Docs/examples/scenarios/busy-mall.toml")

  private func falseExits(_ scenario: String, seed: Int) throws -> [String: Int] {
    let run = try CommandLine(["simulate", scenario, "--seed", "\(seed)", "--score", "--json"])
    let regions = try JSON(parsing: try #require(run.output.first))["regions"]?.list ?? []
    return Dictionary(regions.map { ($0["region"]?.text ?? "", Int($0["falseExits"]?.number ?? -1)) }) { $1 }
  }

  @Test(arguments: 1...5) func `in a month the learned delay makes no false exit where 30 s make thousands`(seed: Int) throws {
    let exits = try falseExits(Self.month, seed: seed)
    #expect(exits["usual"] == 0)
    #expect(exits["fixed 30s"] ?? 0 > 5000)
  }

  @Test(arguments: 1...3) func `so it is with twenty beacons in a mall for a day`(seed: Int) throws {
    let exits = try falseExits(Self.mall, seed: seed)
    #expect(exits.count == 20 && exits.values.allSatisfy { $0 == 0 })
    let stage = try Stage()
    let rules = try String(contentsOfFile: Self.mall, encoding: .utf8)
    let fixed = try stage.file("fixed.toml", rules.replacing("{ identifier = ", with: "{ exit-delay = \"30s\", identifier = "))
    // One may stand where nothing of it is heard.
    #expect(try falseExits(fixed, seed: seed).values.count { $0 > 300 } >= 19)
  }
}
