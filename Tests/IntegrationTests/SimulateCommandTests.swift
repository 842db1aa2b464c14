import Foundation
import TestSupport
import Testing

/// `beaconmon simulate` with the shipped venues.
@Suite struct SimulateCommandTests {
  static let shop = Programs.repository("Docs/examples/scenarios/quiet-shop.toml")
  static let dongle = Programs.repository("Docs/examples/scenarios/flaky-dongle.toml")

  @Test func `a scenario and seed always give the same capture and truth, and another seed gives others`() throws {
    let folder = try TemporaryDirectory()
    func run(_ name: String, seed: Int) throws -> (Data, Data, [String]) {
      let (capture, truth) = (folder.file("\(name).btsnoop"), folder.file("\(name).jsonl"))
      let run = try CommandLine([
        "simulate", Self.shop, "--duration", "20m", "--seed", "\(seed)", "--output", capture, "--truth", truth, "--score", "--json",
      ])
      #expect(run.status == 0 && run.errors.isEmpty)
      return (try Data(contentsOf: URL(fileURLWithPath: capture)), try Data(contentsOf: URL(fileURLWithPath: truth)), run.output)
    }
    let (first, second, other) = (try run("a", seed: 1), try run("b", seed: 1), try run("c", seed: 2))
    #expect(first == second)
    #expect(first.0 != other.0 && first.1 != other.1)
  }

  @Test func `another program reads the simulated sightings from the capture`() throws {
    let folder = try TemporaryDirectory()
    let capture = folder.file("shop.btsnoop")
    let run = try CommandLine(["simulate", Self.shop, "--duration", "15m", "--output", capture, "--json"])
    let facts = try JSON(parsing: try #require(run.output.first))
    let found = try JSON(parsing: try RunningProgram.result(Programs.python, [Programs.peer("btsnoop_summary.py"), capture]))
    let beacons = try #require(found["beacons"]?.object)
    #expect(beacons.values.compactMap(\.number).reduce(0, +) == facts["heard"]?.number)
    #expect(Set(beacons.keys) == ["1/1", "2/1"])
    #expect(found["ordered"] == true && found["adapters"]?[0] == 0)
    // 2026-01-05T00:00:00Z and a quarter of an hour later.
    #expect(found["first"]?.number == 1_767_571_200_000_000 && found["last"]?.number == 1_767_572_100_000_000)
    // Twelve devices send nearly once a second, of which about half are too far away, and each changes its address after a while.
    let others = try #require(found["others"]?.number)
    #expect(others > 2000 && others < 9000)
    #expect(found["addresses"]?.number.map { $0 > 14 } == true)
  }

  @Test func `a replay of the capture prints the events of the score`() throws {
    let folder = try TemporaryDirectory()
    let capture = folder.file("shop.btsnoop")
    let truth = folder.file("truth.jsonl")
    let run = try CommandLine(["simulate", Self.shop, "--duration", "2h", "--output", capture, "--truth", truth, "--score", "--json"])
    let score = try JSON(parsing: try #require(run.output.first))
    let config = folder.file("shop.toml")
    try """
    [ranging]
    path-loss-exponent = 2.7
    [[region]]
    identifier = "regulars"
    uuid = "7b1f63e2-0a5c-4d7e-9c4f-52a1d0c3b002"
    major = 1
    """.write(toFile: config, atomically: true, encoding: .utf8)
    let events = try CommandLine(["replay", capture, "--config", config, "--json", "--drain"]).output.map { try JSON(parsing: $0) }
    let visits = try String(contentsOfFile: truth, encoding: .utf8).split(separator: "\n").map { try JSON(parsing: String($0)) }
      .filter { $0["region"]?.text == "regulars" }
    let crossings = events.compactMap { $0["event"]?.text }.filter { ["enter", "exit"].contains($0) }
    #expect(crossings == visits.flatMap { _ in ["enter", "exit"] } && visits.count == 3)
    #expect(score["regions"]?[0]?["precision"]?.number == 1 && score["regions"]?[0]?["recall"]?.number == 1)
    for (enter, visit) in zip(events.filter { $0["event"]?.text == "enter" }, visits) {
      // RFC 3339 times of equal length sort as text.
      let time = try #require(enter["time"]?.text)
      #expect(try #require(visit["approached"]?.text) <= time && time < (try #require(visit["lastInside"]?.text)))
    }
  }

  @Test func `a capture goes to standard output alone, and all other output to standard error`() throws {
    let shell = try RunningProgram(
      "/bin/bash",
      ["-c", "'\(Programs.commandLine)' simulate '\(Self.dongle)' --duration 9m --output - | '\(Programs.commandLine)' replay - --json"])
    let events = try shell.output.all().map { try JSON(parsing: $0) }
    #expect(events.map { $0["event"]?.text } == ["enter"])
    #expect(try shell.log.all().map { $0.hasPrefix("flaky dongle, seed 1: 9m, ") } == [true])
  }

  @Test func `an outage of the adapter never causes an exit`() throws {
    let run = try CommandLine(["simulate", Self.dongle, "--duration", "3h", "--score", "--json"])
    let total = try JSON(parsing: try #require(run.output.first))["total"]
    #expect(total?["falseExits"]?.number == 0 && total?["strayEvents"]?.number == 0 && total?["precision"]?.number == 1)
  }

  @Test(
    arguments: [
      (["/nowhere"], 66, "/nowhere: cannot be read: No such file or directory; check the path"),
      (
        ["/etc/hostname", "--seed", "x"], 64,
        "the value 'x' is invalid for '--seed <N>': write a whole number from 0 to 18446744073709551615; see --help"
      ),
      (
        ["/etc/hostname", "--duration", "3"], 64,
        "the value '3' is invalid for '--duration <time>': write a number and ms, s, m, h or d, such as 10m; see --help"
      ),
      (["x", "--output", "-", "--truth", "-"], 64, "only one of --output, --truth and --config can write to standard output; see --help"),
      ([shop, "--output", "/nowhere/x"], 74, "/nowhere/x: cannot be written: No such file or directory; check the path and its disk"),
      ([shop, "--output", "/dev/full"], 74, "/dev/full: cannot be written: No space left on device; check the path and its disk"),
    ] as [([String], Int32, String)])
  func `an error is one line and a fitting exit code`(arguments: [String], status: Int32, message: String) throws {
    let run = try CommandLine(["simulate"] + arguments)
    #expect(run.status == status && run.errors == ["beaconmon: \(message)"] && run.output.isEmpty)
  }

  @Test func `a scenario without a region cannot be scored`() throws {
    let stage = try Stage()
    let file = try stage.file("empty.toml", "name = \"t\"\nduration = \"1m\"\n[[receiver]]\nposition = [0, 0]\n")
    let run = try CommandLine(["simulate", file, "--score"])
    #expect(run.status == 78 && run.errors == ["beaconmon: \(file): there is no region; --score requires a [[region]]"])
    #expect(try CommandLine(["simulate", file]).output == ["t, seed 1: 1m, 0 advertisements sent, 0 received"])
  }

  @Test func `a part of a scenario that ends too early cannot be scored`() throws {
    let mall = Programs.repository("Docs/examples/scenarios/busy-mall.toml")
    let run = try CommandLine(["simulate", mall, "--duration", "2h", "--score"])
    #expect(run.status == 64 && run.errors == ["beaconmon: \(mall): scoring begins at 2h; increase --duration"])
    let stage = try Stage()
    let file = try stage.file(
      "late.toml", "name = \"t\"\nduration = \"1m\"\nscore-from = \"1m\"\n[[receiver]]\nposition = [0, 0]\n")
    let late = try CommandLine(["simulate", file, "--score"])
    #expect(
      late.status == 78 && late.errors == ["beaconmon: \(file):3: score-from: must be shorter than the duration"])
  }
}
