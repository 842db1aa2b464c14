import ArgumentParser
import BeaconAdvertising
import Failures
import Glibc
import Instants
import MonitorProtocol
import ProgramSupport

struct RecordCommand: GuidedCommand {
  static let nextStep = "name a new file, such as walk.btsnoop"

  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record what beaconmond hears as a btsnoop capture.",
    discussion: """
      Keeps iBeacons only, and gives every device another address, the same throughout the recording: a capture knows who passed by. \
      Ctrl-C ends it. A daemon that cannot hear ends it with exit code 69 and the advice of "beaconmon status". btmon, tshark and "beaconmon replay" read it. Without beaconmond, "btmon -w FILE" records.

      Examples:
        beaconmon record walk.btsnoop
        beaconmon record walk.btsnoop --duration 10m --limit-size 10MB
        beaconmon record - | beaconmon replay -
      """)

  @Argument(help: "A file, or a FIFO; \"-\" is standard output.")
  var file: String

  @Flag(help: "Replace a file that exists, when the first packet comes.")
  var force = false

  @Flag(help: "Keep everything that is heard, and the addresses as they are.")
  var all = false

  @Option(
    help: ArgumentHelp("End before the capture is larger, as in 500kB or 2GB.", valueName: "size"), transform: parseSize)
  var limitSize = RecordingOptions.defaultLimitSize

  @Option(help: ArgumentHelp("End after so long, as in 30s or 2h; 30d at most.", valueName: "duration"), transform: Span.parse)
  var duration = RecordingOptions.defaultDuration

  @Flag(help: "Print one JSON object at the end: what was recorded.")
  var json = false

  @OptionGroup var bus: BusOptions

  func validate() throws {
    guard duration > .zero, duration <= RecordingOptions.longestDuration else {
      throw ValidationError("--duration: \(duration.text) is not between nothing and \(RecordingOptions.longestDuration.text)")
    }
    if file == "-" && json { throw ValidationError("--json and a capture cannot both go to standard output") }
    if file == "-" && isatty(STDOUT_FILENO) == 1 {
      throw ValidationError("a capture is nothing for a terminal; redirect standard output, or name a file")
    }
  }

  func run() throws {
    let options = RecordingOptions(keepsEverything: all, limitSize: limitSize, duration: duration)
    try DaemonRecording(DaemonLink(bus.address), file, options, json: json, replacesFile: force).run()
  }

  private static func parseSize(_ text: String) throws -> DataSize {
    guard let size = DataSize(text: text), size.octets >= RecordingOptions.smallestLimitSize.octets else {
      throw ValidationError("give a whole number and B, kB, MB or GB, \(RecordingOptions.smallestLimitSize.text) at least")
    }
    return size
  }
}
