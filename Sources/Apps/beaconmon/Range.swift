import ArgumentParser
import BeaconAdvertising
import Captures
import Failures
import Instants
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import Regions

struct Range: GuidedCommand {
  static let nextStep = "\"beaconmon scan\" lists the UUIDs that are heard"

  static let configuration = CommandConfiguration(
    abstract: "Show the beacons of a UUID with their distances, once a second.",
    discussion: """
      On a terminal it is a table that stays in place; into a pipe it is one line for each beacon: time, major, minor, proximity, distance \
      and accuracy in metres, RSSI in dBm, advertisements per second, seconds since last heard. Ctrl-C ends it. \
      A capture without a beacon of that UUID is exit code 69.

      Examples:
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d --major 1 --json
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d --csv > beacons.csv
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d --capture walk.btsnoop
      """)

  @OptionGroup var beacons: ConstraintOptions

  @Option(help: ArgumentHelp("Range this btsnoop capture instead of asking beaconmond; \"-\" is standard input.", valueName: "file"))
  var capture: String?

  @Option(
    help: ArgumentHelp(
      "Play the capture so many times as fast as it was recorded, or \"max\". Default: 1 for the table, else max.", valueName: "X"),
    transform: CapturePlayback.Pace.parse)
  var speed: CapturePlayback.Pace?

  @Option(help: ArgumentHelp("Take [ranging], [[adapter]] and [[beacon]] for the capture from this config.", valueName: "file"))
  var config: String?

  @Flag(help: "Print one JSON object a second: time and beacons, nearest first.")
  var json = false

  @Flag(help: "Print comma-separated values, one line for each beacon and second, after a line with the names of the columns.")
  var csv = false

  @Flag(help: "Print the first second that has a beacon and end; exit code 69 when none is heard for 5 s.")
  var once = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if json && csv { throw ValidationError("--json and --csv exclude each other") }
    if capture == nil && (speed != nil || config != nil) { throw ValidationError("--speed and --config need --capture") }
    if capture != nil && bus.isChosen { throw ValidationError("--capture needs no bus") }
  }

  func run() throws {
    let constraint = beacons.constraint
    let source = capture.map { $0 == "-" ? "standard input" : $0.fileName } ?? "beaconmond"
    let form: RangeOutput.Form? = json ? .json : csv ? .csv : nil
    let output = RangeOutput(constraint: constraint, source: source, form: form, once: once, times: times)
    var hasEnded = false
    do {
      if let capture {
        let configuration = try config.map { (file) throws(Failure) in
          try ConfigurationFile(flag: file, isSession: false).read().configuration
        }
        let pace = speed ?? (output.isTable ? .speed(1) : .unpaced)
        let ranging = try CaptureRanging(capture, pace: pace, constraint, configuration ?? .init(), once: once, output)
        try ranging.run()
        hasEnded = ranging.hasEnded
      } else {
        try DaemonRanging(DaemonLink(bus.address, forSession: true), constraint, output).run(once: once)
      }
    } catch {
      output.finish()
      throw error
    }
    output.finish()
    if let failure = output.failure { throw failure }
    if hasEnded, !once, !output.hasShownBeacon {
      throw Failure(
        .unavailable, "no beacon of \(constraint) is in \(source); check the UUID, and whether the capture was made where the beacons are")
    }
    if once && !output.isDone {
      throw Failure(.unavailable, "no beacon of \(constraint) was heard for 5 s; check the UUID, and that the beacons have power")
    }
  }

  /// The time that `--once` waits for a beacon.
  static let patience = Span.seconds(5)
}

extension String {
  fileprivate var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}
