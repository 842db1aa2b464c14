import ArgumentParser
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Simulation

struct Simulate: GuidedCommand {
  static let nextStep = "scenarios to begin with are in /usr/share/beaconmon/scenarios"

  static let configuration = CommandConfiguration(
    abstract: "Simulate a venue: its capture, what was true, and how the engine does.",
    discussion: """
      The same scenario and seed give the same capture, truth and score everywhere. \
      /usr/share/doc/beaconmon/guides/simulate.md explains the scenario's keys and what counts as true.

      Examples:
        cp /usr/share/beaconmon/scenarios/*.toml .
        beaconmon simulate quiet-shop.toml --score
        beaconmon simulate busy-mall.toml --duration 10m --output mall.btsnoop
        beaconmon simulate museum.toml --seed 7 --truth truth.jsonl --score --json
      """)

  @Argument(help: ArgumentHelp("The venue, its visitors and its faults, in TOML.", valueName: "scenario"))
  var file: String

  @Option(
    help: ArgumentHelp("What chance begins with; any other gives another day at the same venue.", valueName: "N"), transform: UInt64.parse)
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Simulate only so much of it, such as 10m.", valueName: "time"), transform: parse)
  var duration: Span?

  @Option(help: ArgumentHelp("Write the capture here, in btsnoop; \"-\" is standard output.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Write the true visits here, one JSON object on each line.", valueName: "file"))
  var truth: String?

  @Option(help: ArgumentHelp("Write a configuration with the scenario's regions here, for a daemon that hears it.", valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Count how often a program is told where the device is that wants to know after so many metres.", valueName: "metres"))
  var distanceFilter: Double?

  @Flag(help: "Replace files that exist.")
  var force = false

  @Flag(help: "Drive an engine through it and compare its events to what was true.")
  var score = false

  @Flag(help: "Print the result as one JSON object.")
  var json = false

  func validate() throws {
    if [truth, output, config].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("of --output, --truth and --config only one can go to standard output")
    }
    if let distanceFilter, !(0...1_000_000).contains(distanceFilter) {
      throw ValidationError("--distance-filter is a length in metres, such as 10")
    }
  }

  func run() throws {
    var scenario: Scenario
    do throws(ConfigurationError) {
      scenario = try Scenario.read(file: file)
    } catch {
      throw Failure(error)
    }
    if score && scenario.regions.isEmpty { throw Failure(.config, "\(file): has no region; --score needs a [[region]]") }
    if distanceFilter != nil && scenario.positioning == nil {
      throw Failure(.config, "\(file): nobody knows where the device is; --distance-filter needs a [positioning]")
    }
    if let duration { scenario.duration = Swift.min(duration, scenario.duration) }
    if score && scenario.scoredFrom >= scenario.duration {
      throw Failure(.usage, "\(file): is scored from \(scenario.scoredFrom.text) on; --score needs a longer --duration")
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
      throw ValidationError("a duration is a number and ms, s, m, h or d, such as 10m")
    }
    return span
  }
}
