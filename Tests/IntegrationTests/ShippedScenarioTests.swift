import Foundation
import TestSupport
import Testing

/// The shipped scenarios with beacons that never move: every exit is false.
@Suite struct ShippedScenarioTests {
  private static let month = Programs.repository("Docs/examples/scenarios/still-beacon-month.toml")
  private static let mall = Programs.repository("Docs/examples/scenarios/busy-mall.toml")

  private func falseExits(_ scenario: String, seed: Int) throws -> [String: Int] {
    let run = try CommandLine(["simulate", scenario, "--seed", "\(seed)", "--score", "--json"])
    let regions = try JSON(parsing: try #require(run.output.first))["regions"]?.list ?? []
    return Dictionary(regions.map { ($0["region"]?.text ?? "", Int($0["falseExits"]?.number ?? -1)) }) { $1 }
  }

  @Test(arguments: 1...5) func `over a month, the learned delay has no false exit, and a delay of 30 s has thousands`(seed: Int) throws {
    let exits = try falseExits(Self.month, seed: seed)
    #expect(exits["usual"] == 0)
    #expect(exits["fixed 30s"] ?? 0 > 5000)
  }

  @Test(arguments: 1...3) func `over a day in a mall with twenty beacons, the learned delay has no false exit`(seed: Int) throws {
    let exits = try falseExits(Self.mall, seed: seed)
    #expect(exits.count == 20 && exits.values.allSatisfy { $0 == 0 })
    let stage = try Stage()
    let rules = try String(contentsOfFile: Self.mall, encoding: .utf8)
    let fixed = try stage.file("fixed.toml", rules.replacing("{ identifier = ", with: "{ exit-delay = \"30s\", identifier = "))
    // One beacon may be too far away to be heard.
    #expect(try falseExits(fixed, seed: seed).values.count { $0 > 300 } >= 19)
  }

  private static let park = Programs.repository("Docs/examples/scenarios/park-cafe.toml")

  @Test(arguments: 1...3) func `each circle of the park is entered and left once a visit`(seed: Int) throws {
    let run = try CommandLine(["simulate", Self.park, "--seed", "\(seed)", "--score", "--distance-filter", "10", "--json"])
    let score = try JSON(parsing: try #require(run.output.first))
    #expect(score["fixes"]?.number ?? 0 > 27_000 && score["updates"]?.number ?? 0 > 500)
    for name in ["park", "café"] {
      let region = try #require(score["regions"]?.list?.first { $0["region"]?.text == name })
      #expect(region["precision"] == 1 && region["recall"] == 1)
      // The hold is 20 s, and a minute without fixes may lie in between.
      #expect(region["enterLatency"]?["max"]?.number ?? 99 < 60 && region["exitLatency"]?["max"]?.number ?? 99 < 60)
    }
  }

  /// All scenarios of the folder, so that a new one is tested.
  private static let scenarios =
    (try? FileManager.default.contentsOfDirectory(atPath: Programs.repository("Docs/examples/scenarios")))?
    .filter { $0.hasSuffix(".toml") && !$0.hasSuffix(".venue.toml") && $0 != "three-floors.toml" }.sorted() ?? []

  @Test(arguments: 1...3)
  func `on three floors with a beacon every 12 m, less than a hundredth of the seconds away from stairs have a wrong level`(
    seed: Int
  ) throws {
    let floors = Programs.repository("Docs/examples/scenarios/three-floors.toml")
    let run = try CommandLine(["simulate", floors, "--seed", "\(seed)", "--score", "--json"])
    let score = try JSON(parsing: try #require(run.output.first))
    let walk = try #require(score["walk"])
    #expect(walk["levelSeconds"]?.number ?? 0 > 600)
    #expect(walk["wrongLevel"]?.number ?? 1 < 0.01, "\(walk)")
    #expect(walk["positionErrorMean"]?.number ?? 99 < 4.5 && walk["positionErrorP95"]?.number ?? 99 < 10, "\(walk)")
    #expect((0.5...0.97).contains(walk["positionWithinAccuracy"]?.number ?? 0), "\(walk)")
    #expect(walk["nearest"]?.number ?? 0 > 0.6 && walk["trueCrossings"]?.number ?? 0 > 0, "\(walk)")
  }

  @Test func `a daemon that plays the three floors has the venue of the scenario`() throws {
    let stage = try Stage()
    let config = stage.folder.file("floors.toml")
    let floors = Programs.repository("Docs/examples/scenarios/three-floors.toml")
    _ = try RunningProgram.result(Programs.commandLine, ["simulate", floors, "--duration", "1ms", "--config", config])
    let check = try CommandLine(["config", "check", config])
    #expect(check.status == 0 && check.output.first?.contains("4 regions") == true && check.output.first?.contains("1 venue") == true)
  }

  @Test(.ofRelease, arguments: scenarios) func `no score of ten seeds has a stray event or a missed visit`(scenario: String) throws {
    #expect(Self.scenarios.count >= 6)
    for seed in 1001...1010 {
      let run = try CommandLine([
        "simulate", Programs.repository("Docs/examples/scenarios/\(scenario)"), "--seed", "\(seed)", "--score", "--json",
      ])
      let score = try JSON(parsing: try #require(run.output.first))
      let regions = try #require(score["regions"]?.list)
      #expect(!regions.isEmpty)
      // One region shows the effect of a fixed exit delay.
      for region in regions where region["region"]?.text != "fixed 30s" {
        let faults = ["strayEvents", "falseExits", "missed"].filter { region[$0]?.number != 0 }
        #expect(faults.isEmpty, "\(scenario), seed \(seed): \(region)")
      }
    }
  }

  @Test(arguments: ["max", "5000"])
  func `a daemon in the park reports the beacons and circles of the venue in the order of time`(speed: String) throws {
    let stage = try Stage()
    let config = stage.folder.file("config.toml")
    _ = try RunningProgram.result(Programs.commandLine, ["simulate", Self.park, "--duration", "1ms", "--config", config])
    let listener = try stage.listener()
    let daemon = try RunningProgram(
      Programs.daemon,
      ["--bus", stage.bus.address, "--config", config, "--source", "simulator:\(Self.park)", "--seed", "2", "--speed", speed])
    _ = try listener.next("the end of the scenario") { $0.saysEnded }
    let events = listener.signals.filter { $0.name == "RegionEvent" }.compactMap(\.details)
    func kinds(_ region: String) -> [JSON?] { events.filter { $0["region"] == .text(region) }.map { $0["event"] }.filter { $0 != "state" } }
    let visits: [JSON?] = ["enter", "exit", "enter", "exit", "enter", "exit", "enter", "exit"]
    #expect(kinds("park") == visits && kinds("café") == visits && kinds("counter") == visits)
    let times = events.compactMap { $0["time"]?.number }
    #expect(times == times.sorted())
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }
}
