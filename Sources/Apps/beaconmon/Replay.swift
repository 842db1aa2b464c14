import ArgumentParser
import Captures
import Failures
import MonitorConfiguration
import ProgramSupport
import Proximity

struct Replay: GuidedCommand {
  static let nextStep = "\"beaconmon record walk.btsnoop\" makes a capture"

  static let configuration = CommandConfiguration(
    abstract: "Run a capture or a walk through the engine and print the region events.",
    discussion: """
      The capture's timestamps are the clock: the same capture and config always print the same. On a terminal times are local, else in UTC. Without a config every UUID is a region.
      A recorded walk is what a receiver of positions said, NMEA 0183 or the JSON of gpsd, and crosses the circles of the config. It is known by how it \
      begins, or by a name that ends in .nmea.

      Examples:
        beaconmon replay walk.btsnoop
        beaconmon replay walk.btsnoop --config beaconmon.toml --json --drain
        beaconmon replay walk.nmea --config beaconmon.toml
        btmon -w /dev/stdout | beaconmon replay - --summary
        gpspipe -r | beaconmon replay - --config beaconmon.toml
      """)

  @Argument(help: "A btsnoop capture of data link 1001, 1002 or 2001, or a walk, as gpspipe records one; \"-\" is standard input.")
  var capture: String

  @Option(help: ArgumentHelp("Take ranging and regions from this config.", valueName: "file"))
  var config: String?

  @Flag(help: "Print each event as one line of JSON.")
  var json = false

  @Flag(help: "Tell on standard error what was in the capture.")
  var summary = false

  @Flag(help: "Let time run on at the end until every exit delay has passed.")
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
