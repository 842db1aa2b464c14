import ArgumentParser
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Simulation

struct Simulate: GuidedCommand {
  static let nextStep = "example scenarios are in /usr/share/beaconmon/scenarios"

  static let configuration = CommandConfiguration(
    abstract: "Simulate a venue; write its capture and true visits, and score the engine.",
    discussion: """
      The same scenario and seed give the same capture, truth and score everywhere. \
      /usr/share/doc/beaconmon/guides/simulate.md explains the keys of a scenario and the ground truth.

      With --score, the table counts the correct events of each region, however late; the delay is their latency. In a venue, the lines \
      below it are those of "beaconmon replay --score", where an event counts only within 5 seconds of the true one.

      Examples:
        cp /usr/share/beaconmon/scenarios/*.toml .
        beaconmon simulate quiet-shop.toml --score
        beaconmon simulate busy-mall.toml --duration 10m --output mall.btsnoop
        beaconmon simulate museum.toml --seed 7 --truth truth.jsonl --score --json
      """)

  @Argument(help: ArgumentHelp("A TOML file with the venue, its visitors and its faults.", valueName: "scenario"))
  var file: String

  @Option(
    help: ArgumentHelp("The random seed; each one gives another day at the same venue.", valueName: "N"), transform: UInt64.parse)
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Simulate only this time, such as 10m.", valueName: "time"), transform: parse)
  var duration: Span?

  @Option(help: ArgumentHelp("Write the btsnoop capture to this file; \"-\" is standard output.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Write the true visits to this file, one JSON object on each line.", valueName: "file"))
  var truth: String?

  @Option(help: ArgumentHelp("Write a config with the regions of the scenario, for a daemon that plays the capture.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Count the location updates of a program with this distance filter.", valueName: "metres"))
  var distanceFilter: Double?

  @Flag(help: "Replace existing files.")
  var force = false

  @Flag(help: "Run an engine, and compare its events with the true visits.")
  var score = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false

  func validate() throws {
    if [truth, output, config].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("only one of --output, --truth and --config can write to standard output")
    }
    if let distanceFilter, !(0...1_000_000).contains(distanceFilter) {
      throw ValidationError("--distance-filter: write a length in metres, such as 10")
    }
  }

  func run() throws {
    var scenario: Scenario
    do throws(ConfigurationError) {
      scenario = try Scenario.read(file: file)
    } catch {
      throw Failure(error)
    }
    if score && scenario.regions.isEmpty { throw Failure(.config, "\(file): there is no region; --score requires a [[region]]") }
    if distanceFilter != nil && scenario.positioning == nil {
      throw Failure(.config, "\(file): there is no location source; --distance-filter requires [positioning]")
    }
    if let duration { scenario.end(after: duration) }
    if score && scenario.scoredFrom >= scenario.duration {
      throw Failure(.usage, "\(file): scoring begins at \(scenario.scoredFrom.text); increase --duration")
    }
    let options = SimulationRun.Options(
      seed: seed, capture: output, truth: truth, config: config, replacesFiles: force, score: score, distanceFilter: distanceFilter,
      json: json)
    try options.checkFiles()
    var run = try SimulationRun(scenario, options)
    try run.run()
  }

  private static func parse(_ text: String) throws -> Span {
    guard let span = Span(text: text), span > .zero else {
      throw ValidationError("write a number and ms, s, m, h or d, such as 10m")
    }
    return span
  }
}
