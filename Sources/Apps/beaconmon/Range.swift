import ArgumentParser
import Beacons
import Captures
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport

struct Range: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the beacons of a UUID, or those of the configuration, with their distances, once a second.",
    discussion: """
      Without a UUID, shows the beacons of the configured regions and of the venues.

      On a terminal this is a screen with keys: arrows select a beacon and Enter shows it large, s sorts, / filters, p pauses, b rings a \
      bell when the proximity changes, ? lists all keys, and q quits. In a pipe it is one line for each beacon: time, major, minor, \
      proximity, distance and accuracy in metres, RSSI in dBm, advertisements per second, and seconds since the last one. If the capture \
      has no beacon of this UUID, the exit code is 69.

      Examples:
        beaconmon range
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d --major 1 --json
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d --csv > beacons.csv
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d --capture walk.btsnoop
      """)

  @OptionGroup var beacons: ConstraintOptions

  @Option(help: ArgumentHelp("Range beacons in this btsnoop capture instead of the daemon's; \"-\" is standard input.", valueName: "file"))
  var capture: String?

  @Option(
    help: ArgumentHelp(
      "Play the capture at this multiple of its speed, or \"max\". Defaults to 1 on a terminal, and otherwise to max.", valueName: "X"),
    transform: CapturePlayback.Pace.parse)
  var speed: CapturePlayback.Pace?

  @Option(
    help: ArgumentHelp(
      "Use [ranging], [[adapter]], [[beacon]] and the venues of this config for the capture; without a UUID also its beacons.",
      valueName: "file"))
  var config: String?

  @Flag(help: "Print one JSON object a second: the time and the beacons, nearest first.")
  var json = false

  @Flag(help: "Print CSV, one row for each beacon and second.")
  var csv = false

  @Flag(help: "Print the first second with a beacon and exit; exit with 69 if there is none for 5 s.")
  var once = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if json && csv { throw ValidationError("--json and --csv cannot be combined") }
    if capture == nil && (speed != nil || config != nil) { throw ValidationError("--speed and --config require --capture") }
    if capture != nil && bus.isChosen {
      throw ValidationError("--capture cannot be combined with a bus, because it does not use the daemon")
    }
    if capture != nil && config == nil && beacons.uuid == nil {
      throw ValidationError(
        "--capture requires a UUID, or --config with regions or venues; \"beaconmon replay\" lists the UUIDs of a capture")
    }
  }

  func run() throws {
    let source = capture.map { $0 == "-" ? "standard input" : $0.fileName } ?? "beaconmond"
    let form: RangeOutput.Form? = json ? .json : csv ? .csv : nil
    let subject = beacons.constraint.map { "\($0)" } ?? "configured beacons"
    let output = RangeOutput(subject: subject, source: source, form: form, once: once, times: times)
    var hasEnded = false
    do {
      if let capture {
        let configuration = try config.map { (file) throws(Failure) in
          try ConfigurationFile(flag: file, isSession: false).read().configuration
        }
        let pace = speed ?? (output.isScreen ? .speed(1) : .unpaced)
        let ranging = try CaptureRanging(capture, pace: pace, beacons.constraint, configuration ?? .init(), once: once, output)
        try ranging.run()
        hasEnded = ranging.hasEnded
      } else {
        try DaemonRanging(CommandLink(bus.address, forSession: true), beacons.constraint, output).run(once: once)
      }
    } catch {
      output.finish()
      throw error
    }
    output.finish()
    if let failure = output.failure { throw failure }
    if hasEnded, !once, !output.hasShownBeacon {
      throw Failure(
        .unavailable, "\(source) contains no beacon of \(wanted); check the UUID, and where the capture was made")
    }
    if once && !output.isDone {
      throw Failure(
        .unavailable, "no beacon of \(wanted) was received for 5 s; check the UUID, and that the beacons are on and in range")
    }
  }

  /// The wanted beacons in a sentence.
  private var wanted: String { beacons.constraint.map { "\($0)" } ?? "the configuration" }

  /// The time that `--once` waits for a beacon.
  static let patience = Span.seconds(5)
}

extension String {
  fileprivate var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}

/// The options that select beacons.
struct ConstraintOptions: ParsableArguments {
  @Argument(
    help: "The UUID of the beacons, 8-4-4-4-12 hexadecimal digits; without it, those of the configured regions and of the venues.",
    transform: BeaconUUID.parse)
  var uuid: BeaconUUID?

  @Option(help: ArgumentHelp("Only beacons of this major, 0 to 65535.", valueName: "N"), transform: UInt16.parse)
  var major: UInt16?

  @Option(help: ArgumentHelp("Only beacons of this minor, 0 to 65535; requires --major.", valueName: "N"), transform: UInt16.parse)
  var minor: UInt16?

  func validate() throws {
    if minor != nil && major == nil { throw ValidationError("--minor requires --major, because a minor is only unique within a major") }
    if major != nil && uuid == nil { throw ValidationError("--major requires a UUID; \"beaconmon scan\" lists the UUIDs in range") }
  }

  /// The constraint; nil for the configured beacons.
  var constraint: BeaconConstraint? {
    uuid.map { BeaconConstraint(uuid: $0, major: major, minor: minor) ?? BeaconConstraint(uuid: $0) }
  }
}

extension BeaconUUID {
  /// Parses an argument.
  static func parse(_ text: String) throws -> BeaconUUID {
    do {
      return try BeaconUUID(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
