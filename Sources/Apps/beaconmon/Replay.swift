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

      A walk is a recording of a location receiver, NMEA 0183 or the JSON of gpsd, and crosses the circles of the config. It is recognized by its \
      content, or by a name that ends in .nmea.

      Examples:
        beaconmon replay walk.btsnoop
        beaconmon replay walk.btsnoop --config beaconmon.toml --json --drain
        beaconmon replay walk.nmea --config beaconmon.toml
        btmon -w /dev/stdout | beaconmon replay - --summary
        gpspipe -r | beaconmon replay - --config beaconmon.toml
      """)

  @Argument(help: "A btsnoop capture of data link 1001, 1002 or 2001, or a walk, such as one of gpspipe; \"-\" is standard input.")
  var capture: String

  @Option(help: ArgumentHelp("Use the calibration and the regions of this config.", valueName: "file"))
  var config: String?

  @Flag(help: "Print each event as one line of JSON.")
  var json = false

  @Flag(help: "Print a summary of the capture on standard error.")
  var summary = false

  @Flag(help: "Continue time at the end until every exit delay has passed.")
  var drain = false

  @OptionGroup var times: TimeOptions

  func run() throws {
    let configuration = try config.map { (file) throws(Failure) in try ConfigurationFile(flag: file, isSession: false).read().configuration
    }
    let options = CaptureReplay.Options(json: json, drain: drain, summary: summary, times: times)
    var file = try open()
    if file.isWalk() {
      var replay = try WalkReplay(file, configuration, options)
      return try replay.run()
    }
    var replay = CaptureReplay(file, configuration, options)
    try replay.run()
  }

  private func open() throws(Failure) -> CaptureFile {
    do throws(CaptureFileError) {
      return try CaptureFile(path: capture)
    } catch {
      throw Failure(error)
    }
  }
}
