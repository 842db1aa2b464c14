import ArgumentParser
import ClientCommands
import DBus
import EventLoop
import Failures
import Headings
import Instants
import Locations
import MonitorClient
import MonitorProtocol
import ProgramSupport
import Records
import Terminal

struct HeadingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "heading",
    abstract: "Follow the direction in which this device points.",
    discussion: """
      A terminal shows a compass rose that turns with the device, with magnetic and true north. The cone at its top is as wide as the \
      accuracy, one standard deviation to each side. With --field it shows plots of the magnetic field, as a detector of steel and \
      magnets. While the compass needs a calibration, it shows the directions in which the device has not been held. In a pipe, each \
      heading is one line of JSON, and a device that rests gives a line at least every 4 seconds, so that "beaconmon stamp" finds the \
      direction of each photo. Press Ctrl-C to stop.

      True north needs a location. A heading is not a course: with --travel the output is the course, marked as such, while the device is \
      in a vehicle.

      Exit codes: 69 if this device has no source of headings, 77 without permission.

      Examples:
        beaconmon heading
        beaconmon heading --field
        beaconmon heading --filter 5 | jq .trueHeading
        beaconmon heading --record walk.jsonl

      With --record, the command reads the sensors of this machine itself, without the daemon, and writes their samples to a file that the \
      daemon can play: beaconmon.toml(5), [heading].
      """)

  @Flag(help: "Show plots of x, y, z and the strength of the magnetic field.")
  var field = false

  @Option(
    help: ArgumentHelp(
      "Report only turns of at least this angle, 0 to 180 degrees; 0 is every sample. Defaults to 1, or to 0 on a screen.",
      valueName: "degrees"),
    transform: Angle.parse)
  var filter: Double?

  @Option(
    help: ArgumentHelp(
      "The edge that points forward: portrait, portraitUpsideDown, landscapeLeft or landscapeRight. Defaults to that of the config.",
      valueName: "edge"
    ),
    transform: DeviceEdge.parse)
  var orientation: String?

  @Option(
    help: ArgumentHelp(
      "The longest time between two headings of a device that rests, such as 10s; 0s means no limit. Defaults to 4s, or to 0s on a screen.",
      valueName: "duration"), transform: Span.parse)
  var interval: Span?

  @Flag(help: "Report the course while this device is in a vehicle.")
  var travel = false

  @Flag(help: "Print each heading as one line of JSON, also on a terminal.")
  var json = false

  @Option(help: ArgumentHelp("Write the samples of this machine's sensors to this file; \"-\" is standard output.", valueName: "file"))
  var record: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  @OptionGroup var bus: BusOptions

  func validate() throws {
    // The limits of the daemon.
    if let interval, interval != .zero, !(.milliseconds(100)...Span.seconds(86_400)).contains(interval) {
      throw ValidationError("--interval is a duration from 100ms to 24h; write 0s for no limit")
    }
    if record == nil, force { throw ValidationError("--force requires --record") }
    if record != nil, field || filter != nil || orientation != nil || interval != nil || travel || json {
      throw ValidationError("--record writes samples, not headings; it cannot be combined with the options of headings")
    }
  }

  func run() throws {
    if let record { return try HeadingRecording(record, replaces: force).run() }
    let output = FollowedOutput(isJSON: json) { HeadingScreen(style: $0, showsField: field) }
    // Photos get the direction of a heading that is at most 5 s old.
    let interval = interval ?? (output.isScreen ? .zero : .seconds(4))
    let options = HeadingOptions(
      filter: filter ?? (output.isScreen ? 0 : nil), orientation: orientation, travel: travel, interval: interval > .zero ? interval : nil)
    do {
      try HeadingFollowing(CommandLink(bus.address, forSession: true), options, output).run()
    } catch {
      output.finish()
      throw error
    }
    output.finish()
    if let failure = output.failure { throw failure }
  }
}

/// An angle as an argument.
private enum Angle {
  static func parse(_ text: String) throws -> Double {
    guard let degrees = Double(text), (0...180).contains(degrees) else {
      throw ValidationError("\"\(text)\" is not an angle; write degrees from 0 to 180, such as 5")
    }
    return degrees
  }
}

/// The name of an orientation as an argument.
private enum DeviceEdge {
  static func parse(_ text: String) throws -> String {
    guard DeviceOrientation(named: text) != nil else {
      let names = DeviceOrientation.named.map(\.name).joined(separator: ", ")
      throw ValidationError("\"\(text)\" is not an edge; write one of \(names)")
    }
    return text
  }
}

/// Follows headings through the daemon, across its restarts.
private final class HeadingFollowing {
  private let link: CommandLink
  private let options: HeadingOptions
  private let output: FollowedOutput<HeadingScreen>
  private var stream: RemoteStream?
  private var client: MonitorClient?
  private let watch: HeadingWatch

  init(_ link: CommandLink, _ options: HeadingOptions, _ output: FollowedOutput<HeadingScreen>) {
    (self.link, self.options, self.output) = (link, options, output)
    watch = HeadingWatch(link.loop)
    watch.onRequest = { [unowned self] in if let client { follow(client) } }
    watch.onNote = { output.note($0) }
    watch.onEnd = { [link] in link.end($0) }
  }

  func run() throws(Failure) {
    try output.follow(link) { [unowned self] in
      // The next daemon reports its own direction and calibration.
      output.picture.forgetHeading()
      output.picture.take(CalibrationStatus())
      watch.noteAbsence()
    }
    try link.run { [unowned self] in follow($0) }
    stream = nil
  }

  private func follow(_ client: MonitorClient) {
    self.client = client
    stream = client.followHeading(options) { [unowned self] in
      watch.noteBegin()
    } onFailure: { [unowned self] in
      watch.noteRefusal(Failure(refusal: $0), isLackOfSource: $0.monitorError == .noHeadingSource)
    } handler: { [unowned self] event in
      link.settle()
      switch event {
      case .heading(let update): if output.isScreen { output.picture.take(update) } else { output.write(update.record.json) }
      case .failed(let error):
        output.picture.forgetHeading()
        output.note(error.message)
      case .calibration(let status):
        if output.isScreen { output.picture.take(status) } else { watch.noteCalibration(isNeeded: status.isNeeded == true) }
      }
      output.paint()
      if output.isClosed { link.end() }
    }
  }
}
