import Glibc
import Instants
import MonitorConfiguration
import Records
import Scoring
import Simulation
import Terminal

/// Runs one scenario from its beginning to its end, as fast as the machine can, into the requested files.
struct SimulationRun: ~Copyable {
  struct Options {
    var seed: UInt64
    /// The path of the capture.
    var capture: String?
    /// The path of the ground truth.
    var truth: String?
    /// The path of the config.
    var config: String?
    /// Whether files that exist are replaced.
    var replacesFiles: Bool
    var score: Bool
    /// The distance filter in metres of a simulated location client; nil for none.
    var distanceFilter: Double?
    var json: Bool

    /// Throws if a file must not be replaced, before the first is made.
    func checkFiles() throws(OutputError) {
      guard !replacesFiles else { return }
      for case let path? in [capture, truth, config] { try OutputFile.check(path: path) }
    }
  }

  private let scenario: Scenario
  private let options: Options
  private var simulator: Simulator
  private var capture: ScenarioCapture?
  private var captureFile: OutputFile?
  private var truthFile: OutputFile?
  private var trial: EngineTrial?
  private var updates: UpdateTrial?

  init(_ scenario: Scenario, _ options: Options) throws(OutputError) {
    self.scenario = scenario
    self.options = options
    let replaces = options.replacesFiles
    simulator = Simulator(scenario, seed: options.seed, hasCrowd: options.capture != nil)
    if let path = options.capture {
      capture = ScenarioCapture(scenario, seed: options.seed)
      captureFile = try OutputFile(path: path, replaces: replaces)
    }
    if let path = options.config {
      try OutputFile(path: path, replaces: replaces).write(scenario.configuration(venue: Self.absolute(scenario.venueFile)))
    }
    if let path = options.truth { truthFile = try OutputFile(path: path, replaces: replaces) }
    trial = options.score ? EngineTrial(scenario, walk: WalkScorer(scenario, seed: options.seed)) : nil
    updates = options.distanceFilter.map { UpdateTrial(distanceFilter: $0) }
  }

  /// Returns the absolute path of a file, because a configuration may be in another folder.
  private static func absolute(_ file: String?) -> String? {
    guard let file, let path = realpath(file, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  mutating func run() throws(OutputError) {
    while let step = simulator.next() {
      trial?.take(step)
      updates?.take(step)
      capture?.take(step)
      try writeCapture()
    }
    capture?.end()
    try writeCapture()
    var summary = SimulationSummary(scenario: scenario.name, seed: options.seed, duration: scenario.duration)
    (summary.sent, summary.heard) = (simulator.sent, simulator.heard)
    if scenario.positioning != nil { summary.fixes = simulator.fixes }
    summary.updates = updates?.updates
    if options.truth != nil || trial != nil {
      let truth = VenueTruth(scenario, seed: options.seed)
      try truthFile?.write(truth.records.map { $0.json + "\n" }.joined())
      summary.score = trial?.score(against: truth)
    }
    // A summary must not interrupt a capture or of the ground truth.
    let isTaken = [options.capture, options.truth, options.config].contains("-")
    let output = isTaken ? TerminalOutput.standardError : TerminalOutput.standardOutput
    try output.write(options.json ? summary.record.json + "\n" : SimulationText(style: output.style).text(summary))
  }

  private mutating func writeCapture() throws(OutputError) {
    try capture?.drain { octets throws(OutputError) in try captureFile?.write(octets) }
  }
}
