import ArgumentParser
import Beacons
import Failures
import Glibc
import Instants
import MonitorProtocol
import ProgramSupport

struct RecordCommand: GuidedCommand {
  static let nextStep = "specify a new file, such as walk.btsnoop"

  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the advertisements that the daemon receives as a btsnoop capture.",
    discussion: """
      A capture reveals the presence of people. It therefore contains only beacons, and a pseudonymous address for each device, unless \
      --all is given. Press Ctrl-C to stop. If the daemon cannot receive, the command prints the advice of "beaconmon status" and exits \
      with 69. btmon, tshark and "beaconmon replay" read captures. To record without the daemon, use "btmon -w FILE".

      Examples:
        beaconmon record walk.btsnoop
        beaconmon record walk.btsnoop --duration 10m --limit-size 10MB
        beaconmon record - | beaconmon replay -
      """)

  @Argument(help: "A file or a FIFO; \"-\" is standard output.")
  var file: String

  @Flag(help: "Replace an existing file, when the first packet arrives.")
  var force = false

  @Flag(help: "Record every advertisement, with its real address.")
  var all = false

  @Option(
    help: ArgumentHelp("Stop before the capture exceeds this size, such as 500kB or 2GB. Defaults to 100MB.", valueName: "size"),
    transform: parseSize)
  var limitSize = RecordingOptions.defaultLimitSize

  @Option(
    help: ArgumentHelp("Stop after this time, such as 30s or 2h; at most 30d. Defaults to 1h.", valueName: "duration"),
    transform: Span.parse)
  var duration = RecordingOptions.defaultDuration

  @Flag(help: "Print a summary as one JSON object at the end.")
  var json = false

  @OptionGroup var bus: BusOptions

  func validate() throws {
    guard duration > .zero, duration <= RecordingOptions.longestDuration else {
      throw ValidationError("--duration: \(duration.text) is not between 0 and \(RecordingOptions.longestDuration.text)")
    }
    if file == "-" && json { throw ValidationError("--json cannot be combined with a capture on standard output") }
    if file == "-" && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("a capture cannot be written to a terminal; redirect standard output, or specify a file")
    }
  }

  func run() throws {
    let options = RecordingOptions(keepsEverything: all, limitSize: limitSize, duration: duration)
    try DaemonRecording(CommandLink(bus.address), file, options, json: json, replacesFile: force).run()
  }

  private static func parseSize(_ text: String) throws -> DataSize {
    guard let size = DataSize(text: text), size.octets >= RecordingOptions.smallestLimitSize.octets else {
      throw ValidationError("write a whole number and B, kB, MB or GB, at least \(RecordingOptions.smallestLimitSize.text)")
    }
    return size
  }
}
