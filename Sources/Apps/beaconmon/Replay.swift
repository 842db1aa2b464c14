import ArgumentParser
import Captures
import Failures
import MonitorConfiguration
import ProgramSupport
import Proximity
import Replays
import Terminal

struct Replay: GuidedCommand {
  static let nextStep = "\"beaconmon record walk.btsnoop\" records a capture"

  static let configuration = CommandConfiguration(
    abstract: "Replay a capture or a walk, and print the region events.",
    discussion: """
      The timestamps of the capture are the clock, so the same capture and config always give the same output. Without a config, every \
      UUID is a region. Times are local on a terminal, and in UTC otherwise.

      A walk is a recording of a location receiver, NMEA 0183 or the JSON of gpsd, and crosses the circles and venues of the config. It is \
      recognized by its content, or by a name that ends in .nmea. The walk in [location.capture] of the config is replayed with the capture.

      With --score, the output is compared with true positions once a second, and several captures are pooled. The first 3 seconds of a \
      walk do not count. A second is a hit if the first ranged beacon is the nearest. One sigma covers a distance if its error is at most \
      its accuracy. Regions with within, or of 3 m around each beacon if the config has no region, are compared with the true crossings of \
      within and leave-beyond: a reported crossing matches one of the same region and kind within 5 seconds. A false enter matches none, \
      and is gross if the true distance stays beyond leave-beyond for 5 seconds before and after. A false exit is a phantom if it stays \
      within leave-beyond for as long. At a venue of the config, the receiver counts as calibrated, unless --uncalibrated is given.

      With several configs, the events of each are counted and listed side by side, or their scores. An event is the same in two of them \
      if region and kind are, and their times differ by at most a minute. A flap is an exit after which the region is entered within a \
      minute. With --json, each event has the name of its config.

      Examples:
        beaconmon replay walk.btsnoop
        beaconmon replay walk.btsnoop --config beaconmon.toml --json --drain
        beaconmon replay walk.btsnoop --config now.toml --config tuned.toml --plot walk.svg
        beaconmon replay walk.nmea --config beaconmon.toml
        btmon -w /dev/stdout | beaconmon replay - --summary
        gpspipe -r | beaconmon replay - --config beaconmon.toml
        beaconmon replay walk.btsnoop --score --truth walk.truth.csv --beacons beacons.csv
        beaconmon replay walk.btsnoop --score --truth walk.truth.csv --config beaconmon.toml
      """)

  @Argument(
    help: ArgumentHelp(
      "A btsnoop capture of data link 1001, 1002 or 2001, or a walk, such as one of gpspipe; \"-\" is standard input. Only --score takes several.",
      valueName: "capture"))
  var captures: [String]

  @Option(
    help: ArgumentHelp(
      "Use the calibration and the regions of this config. Several, up to \(ReplayPlot.mostRuns), are compared.", valueName: "file"))
  var config: [String] = []

  @Option(help: ArgumentHelp("Draw the replay as an SVG picture into this file.", valueName: "file"))
  var plot: String?

  @Flag(help: "Let --plot replace an existing file.")
  var force = false

  @Flag(help: "Print each event as one line of JSON.")
  var json = false

  @Flag(help: "Print a summary of the capture on standard error.")
  var summary = false

  @Flag(help: "Let time continue after the end of the capture until every exit delay has passed.")
  var drain = false

  @Flag(help: "Compare distances, the nearest beacon and regions with the true positions, instead of printing events.")
  var score = false

  @Flag(help: "Let --score learn the receiver at a venue, from one capture to the next, instead of counting it as calibrated.")
  var uncalibrated = false

  @Option(
    help: ArgumentHelp(
      "The true positions of a capture as CSV: unix_time_s,x_m,y_m,z_m; a column level with the ordinal of the level is optional. "
        + "Once for each capture, in their order.", valueName: "file"))
  var truth: [String] = []

  @Option(
    help: ArgumentHelp(
      "The positions of the beacons as CSV: minor,x_m,y_m,z_m; columns uuid and major are optional. By default those of the config's venue.",
      valueName: "file"))
  var beacons: String?

  @OptionGroup var times: TimeOptions

  func validate() throws {
    if config.count > ReplayPlot.mostRuns {
      throw ValidationError("there are \(config.count) configs; at most \(ReplayPlot.mostRuns) are compared")
    }
    if Set(config).count < config.count { throw ValidationError("a --config is given twice") }
    guard score else {
      if captures.count > 1 { throw ValidationError("several captures require --score; replay one at a time") }
      if !truth.isEmpty || beacons != nil { throw ValidationError("--truth and --beacons require --score") }
      if uncalibrated { throw ValidationError("--uncalibrated requires --score") }
      if summary, config.count > 1 { throw ValidationError("--summary has no effect with several configs; remove it") }
      if force, plot == nil { throw ValidationError("--force requires --plot") }
      if plot == "-" { throw ValidationError("--plot requires a file, because the events go to standard output") }
      if let plot, (captures + config).contains(where: { OutputFile.isSame(plot, as: $0) }) {
        throw ValidationError("\(plot) is read; name another file for --plot")
      }
      return
    }
    if plot != nil { throw ValidationError("--plot has no effect with --score; remove it") }
    if truth.count != captures.count {
      throw ValidationError("--score requires a --truth for each capture: there are \(captures.count) captures and \(truth.count) of them")
    }
    if beacons == nil, config.isEmpty {
      throw ValidationError("--score requires --beacons with the positions of the beacons, or a --config with a venue that has them")
    }
    if drain || summary { throw ValidationError("--drain and --summary have no effect with --score; remove them") }
  }

  func run() throws {
    let configurations = try config.map { (file) throws(Failure) in
      try ConfigurationFile(flag: file, isSession: false).read().configuration
    }
    if score {
      return try ScoreRun(names(of: configurations), truths: truth, beacons: beacons, isCalibrated: !uncalibrated, json: json).run(captures)
    }
    let options = CaptureReplay.Options(drain: drain, summary: summary)
    guard config.count < 2, plot == nil else {
      return try ComparedReplay(captures[0], names(of: configurations), options, json: json, plot: plot, replaces: force, times).run()
    }
    var file = try CaptureFile.opened(captures[0])
    if file.isWalk() {
      let printer = ReplayPrinter(json: json, regions: try WalkReplay.regions(of: configurations.first), times)
      var replay = try WalkReplay(file, configurations.first, options, to: printer)
      return try replay.run()
    }
    let printer = ReplayPrinter(json: json, regions: configurations.first?.regions, times)
    var replay = try CaptureReplay(file, configurations.first, options, to: printer)
    try replay.run()
  }

  /// Returns each configuration with its name. Without a config it returns one without a configuration.
  private func names(of configurations: [Configuration]) -> [NamedConfiguration] {
    guard !configurations.isEmpty else { return [NamedConfiguration(name: "no config", configuration: nil)] }
    return zip(PathNames.distinct(config), configurations).map { NamedConfiguration(name: $0, configuration: $1) }
  }
}

/// A configuration of a replay, with its name in the output; none for a replay without one.
struct NamedConfiguration {
  let name: String
  let configuration: Configuration?
}

extension CaptureFile {
  static func opened(_ path: String) throws(Failure) -> CaptureFile {
    do throws(CaptureFileError) {
      return try CaptureFile(path: path)
    } catch {
      throw Failure(error)
    }
  }
}
