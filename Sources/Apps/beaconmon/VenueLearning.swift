import ArgumentParser
import Beacons
import Failures
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import Records
import Setup
import Status
import Terminal

/// `beaconmon venue learned`: the offsets that the daemon has learned.
struct VenueLearned: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learned",
    abstract: "Show the offsets that the daemon has learned at venues, and those that it suggests.",
    discussion: """
      beaconmond learns, while the device is carried around, how strongly each adapter receives each beacon of a venue, and uses that for \
      positions there. Once it is certain, after two minutes of walking or more, it suggests the matching rssi-offset with its \
      uncertainty. "beaconmon venue accept" writes the suggested offsets to the config, and "beaconmon venue refuse" hides them until they \
      change.

      Examples:
        beaconmon venue learned
        beaconmon venue learned gallery --json
      """)

  @OptionGroup var choice: LearnedChoice

  @Flag(help: "Print one JSON object for each venue.")
  var json = false

  @OptionGroup var bus: BusOptions

  func run() throws {
    let output = TerminalOutput.standardOutput
    let venues = try choice.venues(on: bus).map(choice.selection.receivers)
    try output.write(
      json ? venues.map { $0.record.json + "\n" }.joined() : LearnedText(style: output.style, width: output.width).text(venues))
  }
}

/// `beaconmon venue accept`: suggested offsets become a part of the config.
struct VenueAccept: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Write the offsets that the daemon has learned at a venue to the config.",
    discussion: """
      Shows the suggested offsets, and writes them to conf.d/calibration.toml beside the config, after confirmation. The config itself \
      stays as it is. Values that only the previous calibration has stay, and its file is kept as calibration.toml.old. After a reload, \
      the receivers continue to learn from these values. With several receivers, only those that suggest an offset get one.

      Exit codes: 65 if there is nothing to accept, which the error explains, 69 without a daemon, 78 for an invalid config.

      Examples:
        sudo beaconmon venue accept
        sudo beaconmon venue accept gallery --yes
      """)

  @OptionGroup var choice: LearnedChoice

  @Option(
    help: ArgumentHelp("The config beside which the offsets are written. Defaults to that of the daemon on the bus.", valueName: "file"))
  var config: String?

  @Flag(help: "Write the offsets without asking.")
  var yes = false

  @OptionGroup var bus: BusOptions

  func run() throws {
    let all = try choice.venues(on: bus)
    let chosen = all.map(choice.selection.receivers)
    let output = TerminalOutput.standardOutput
    try output.write(LearnedText(style: output.style, width: output.width).text(chosen))
    let learned = try LearnedOffsets(of: chosen, among: all)
    let file = ConfigurationFile(flag: config, isSession: bus.session, isOptional: true)
    let configuration = try file.read().configuration
    try CalibrationWriting(file.path, configuration).write(
      learned.offsets, origin: "Learned at venue \(learned.venue) in \(learned.seconds) s of walking.", by: "`beaconmon venue accept`",
      asks: !yes, isOnlyReceiver: learned.isOnlyReceiver
    ) { number in
      learned.receivers[Int(number)].flatMap { BluetoothAddress($0) }
    }
  }
}

/// `beaconmon venue refuse`: suggested offsets are not suggested again.
struct VenueRefuse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refuse",
    abstract: "Hide the offsets that the daemon suggests at venues until they change.",
    discussion: """
      The daemon does not suggest these offsets again, even after a restart, until the learned offsets differ from them by 2 dB. Positions \
      continue to use the learned offsets; "beaconmon venue reset" deletes them, and the refusals as well. The refusal applies at once, \
      and requires root, or permission from polkit.

      Examples:
        sudo beaconmon venue refuse
        sudo beaconmon venue refuse gallery --adapter 00:1A:7D:DA:71:13
      """)

  @OptionGroup var choice: LearnedChoice
  @OptionGroup var bus: BusOptions

  func run() throws {
    let count = try VenueRequest.answer(bus) { $0.refuseSuggestions(venue: choice.venue, adapter: choice.adapter, $1) }
    try TerminalOutput.standardOutput.write("refused \(Count.text(count, "offset"))\n")
  }
}

/// `beaconmon venue reset`: the daemon forgets learned offsets.
struct VenueReset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Delete the offsets that the daemon has learned at venues.",
    discussion: """
      beaconmond learns, while the device is carried around, how strongly each adapter receives the beacons of a venue. `beaconmon status` \
      shows these offsets. Delete them after beacons were moved or exchanged, or after an antenna was changed. The change applies at once, \
      and requires root, or permission from polkit.

      Examples:
        sudo beaconmon venue reset
        sudo beaconmon venue reset gallery --adapter 00:1A:7D:DA:71:13
      """)

  @OptionGroup var choice: LearnedChoice
  @OptionGroup var bus: BusOptions

  func run() throws {
    let count = try VenueRequest.answer(bus) { $0.resetLearning(venue: choice.venue, adapter: choice.adapter, $1) }
    try TerminalOutput.standardOutput.write("forgot \(Count.text(count, "receiver"))\n")
  }
}

/// The options that select learned offsets.
struct LearnedChoice: ParsableArguments {
  @Argument(help: ArgumentHelp("The id of the venue. Defaults to all venues.", valueName: "venue"))
  var venue: String?

  @Option(help: ArgumentHelp("The address of an adapter, as in `beaconmon status`. Defaults to all adapters.", valueName: "address"))
  var adapter: String?

  var selection: LearnedSelection { LearnedSelection(venue: venue, adapter: adapter) }

  /// Returns the chosen venues with all their receivers.
  func venues(on bus: BusOptions) throws -> [VenueStatus] {
    try selection.venues(
      of: VenueRequest.answer(bus, isForInsiders: true) { client, completion in
        client.status { completion($0.map { MonitorStatus($0) }) }
      })
  }
}
