import ArgumentParser
import BeaconAdvertising
import Beacons
import Captures
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import Records
import Regions
import Terminal

struct Range: GuidedCommand {
  static let nextStep = "\"beaconmon scan\" lists the UUIDs in range"

  static let configuration = CommandConfiguration(
    abstract: "Show the beacons of a UUID with their distances, once a second.",
    discussion: """
      On a terminal this is a screen that is redrawn in place. In a pipe it is one line for each beacon: time, major, minor, proximity, \
      distance and accuracy in metres, RSSI in dBm, advertisements per second, and seconds since the last one. Press Ctrl-C to stop. If \
      the capture has no beacon of this UUID, the exit code is 69.

      Examples:
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
      "Play the capture at this multiple of its speed, or \"max\". Default: 1 on a terminal, else max.", valueName: "X"),
    transform: CapturePlayback.Pace.parse)
  var speed: CapturePlayback.Pace?

  @Option(help: ArgumentHelp("Use [ranging], [[adapter]] and [[beacon]] of this config for the capture.", valueName: "file"))
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
        let pace = speed ?? (output.isScreen ? .speed(1) : .unpaced)
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
        .unavailable, "\(source) contains no beacon of \(constraint); check the UUID, and where the capture was made")
    }
    if once && !output.isDone {
      throw Failure(
        .unavailable, "no beacon of \(constraint) was received for 5 s; check the UUID, and that the beacons are on and in range")
    }
  }

  /// The time that `--once` waits for a beacon.
  static let patience = Span.seconds(5)
}

extension String {
  fileprivate var fileName: String { split(separator: "/").last.map(String.init) ?? self }
}

/// The options that select beacons.
struct ConstraintOptions: ParsableArguments {
  @Argument(help: "The UUID of the beacons, 8-4-4-4-12 hexadecimal digits.", transform: BeaconUUID.parse)
  var uuid: BeaconUUID

  @Option(help: ArgumentHelp("Only beacons of this major, 0 to 65535.", valueName: "N"), transform: UInt16.parse)
  var major: UInt16?

  @Option(help: ArgumentHelp("Only beacons of this minor, 0 to 65535; requires --major.", valueName: "N"), transform: UInt16.parse)
  var minor: UInt16?

  func validate() throws {
    if minor != nil && major == nil { throw ValidationError("--minor requires --major, because a minor is only unique within a major") }
  }

  /// The constraint; `validate` has ensured that there is one.
  var constraint: BeaconConstraint {
    BeaconConstraint(uuid: uuid, major: major, minor: minor) ?? BeaconConstraint(uuid: uuid)
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

/// Ranges through the daemon, across its restarts.
final class DaemonRanging {
  private let link: DaemonLink
  private let constraint: BeaconConstraint
  private let output: RangeOutput
  private var ranging: RemoteStream?
  private var deadline: Timer?
  private var signals: ScreenSignals?
  private lazy var hearing = HearingCheck(link.loop)

  init(_ link: DaemonLink, _ constraint: BeaconConstraint, _ output: RangeOutput) {
    self.link = link
    self.constraint = constraint
    self.output = output
  }

  /// - Parameter once: give up after `Range.patience`.
  func run(once: Bool) throws(Failure) {
    signals = try ScreenSignals(link.loop) { [output] in
      output.suspend()
    } onRedraw: { [output] in
      output.redraw()
    }
    if once {
      deadline = link.loop.timer { [link] in link.end() }
      deadline?.arm(after: Range.patience)
    }
    link.onPresenceChange = { [output] isAvailable in
      output.note(isAvailable ? nil : "beaconmond has stopped; waiting for it")
    }
    try link.run { [unowned self] client in
      hearing.begin(client) { [output] obstacle in
        if let obstacle { output.note(obstacle) }
      }
      ranging = client.range(constraint) { [link] error in
        link.end(Failure(refusal: error))
      } handler: { [link, output] snapshot in
        link.settle()
        output.show(snapshot)
        if output.isDone { link.end() }
      }
    }
  }
}
