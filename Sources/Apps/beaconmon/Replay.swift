import ArgumentParser
import Captures
import Failures
import MonitorConfiguration
import ProgramSupport
import Proximity

struct Replay: GuidedCommand {
  static let nextStep = "\"beaconmon record walk.btsnoop\" records a capture"

  static let configuration = CommandConfiguration(
    abstract: "Replay a capture or a walk, and print the region events.",
    discussion: """
      The timestamps of the capture are the clock, so the same capture and config always print the same. Without a config, every UUID is a region. \
      Times are local on a terminal, and in UTC otherwise.

      A walk is a recording of a location receiver, NMEA 0183 or the JSON of gpsd, and crosses the circles and venues of the config. It is \
      recognized by its content, or by a name that ends in .nmea. The walk in [location.capture] of the config is replayed with the capture.

      With --score, the output is compared with true positions once a second, and several captures are pooled. The first 3 seconds of a walk \
      do not count. A second is a hit if the first ranged beacon is the nearest. One sigma covers a distance if its error is at most its accuracy. \
      Regions with within, or of 3 m around each beacon if the config has no region, are compared with the true crossings of within and leave-beyond: a \
      reported crossing matches one of the same region and kind within 5 seconds. A false enter matches none, and is gross if the true distance \
      stays beyond leave-beyond for 5 seconds before and after. A false exit is a phantom if it stays within leave-beyond for as long. \
      At a venue of the config, the receiver counts as calibrated, unless --uncalibrated is given.

      Examples:
        beaconmon replay walk.btsnoop
        beaconmon replay walk.btsnoop --config beaconmon.toml --json --drain
        beaconmon replay walk.nmea --config beaconmon.toml
        btmon -w /dev/stdout | beaconmon replay - --summary
        gpspipe -r | beaconmon replay - --config beaconmon.toml
        beaconmon replay walk.btsnoop --score --truth walk.truth.csv --beacons beacons.csv
      """)

  @Argument(
    help: ArgumentHelp(
      "A btsnoop capture of data link 1001, 1002 or 2001, or a walk, such as one of gpspipe; \"-\" is standard input. Only --score takes several.",
      valueName: "capture"))
  var captures: [String]

  @Option(help: ArgumentHelp("Use the calibration and the regions of this config.", valueName: "file"))
  var config: String?

  @Flag(help: "Print each event as one line of JSON.")
  var json = false

  @Flag(help: "Print a summary of the capture on standard error.")
  var summary = false

  @Flag(help: "Continue time at the end until every exit delay has passed.")
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
      "The positions of the beacons as CSV: minor,x_m,y_m,z_m; columns uuid and major are optional.", valueName: "file"))
  var beacons: String?

  @OptionGroup var times: TimeOptions

  func validate() throws {
    guard score else {
      if captures.count > 1 { throw ValidationError("several captures require --score; replay one at a time") }
      if !truth.isEmpty || beacons != nil { throw ValidationError("--truth and --beacons require --score") }
      if uncalibrated { throw ValidationError("--uncalibrated requires --score") }
      return
    }
    if truth.count != captures.count {
      throw ValidationError("--score requires a --truth for each capture: there are \(captures.count) captures and \(truth.count) of them")
    }
    if beacons == nil { throw ValidationError("--score requires --beacons with the positions of the beacons") }
    if drain || summary { throw ValidationError("--drain and --summary have no effect with --score; remove them") }
  }

  func run() throws {
    let configuration = try config.map { (file) throws(Failure) in try ConfigurationFile(flag: file, isSession: false).read().configuration
    }
    if score, let beacons {
      return try ScoreRun(configuration, truths: truth, beacons: beacons, isCalibrated: !uncalibrated, json: json).run(captures)
    }
    let options = CaptureReplay.Options(json: json, drain: drain, summary: summary, times: times)
    var file = try open()
    if file.isWalk() {
      var replay = try WalkReplay(file, configuration, options)
      return try replay.run()
    }
    var replay = try CaptureReplay(file, configuration, options)
    try replay.run()
  }

  private func open() throws(Failure) -> CaptureFile {
    do throws(CaptureFileError) {
      return try CaptureFile(path: captures[0])
    } catch {
      throw Failure(error)
    }
  }
}
