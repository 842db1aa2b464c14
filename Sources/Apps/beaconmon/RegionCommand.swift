import ArgumentParser
import ConfigurationTree
import Failures
import MonitorConfiguration
import ProgramSupport
import Regions
import Terminal

struct RegionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "region",
    abstract: "Add, rename and remove regions in the config.",
    discussion: """
      The rest of the config stays as it is, with its comments and its order. The config does not change if the result would be invalid.

      Examples:
        beaconmon region add beacon door 8ec76ea3-6668-48da-9866-75be8bc86f4d 1 5
        beaconmon region rename door entrance
        beaconmon region remove entrance
      """,
    subcommands: [Add.self, RenameRegion.self, RemoveRegion.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a region to the config.", subcommands: [AddBeacon.self, AddCircle.self])
  }
}

/// The options that select the config whose regions change.
struct EditedConfig: ParsableArguments {
  @Option(help: ArgumentHelp("The config. Defaults to /etc/beaconmon/beaconmon.toml.", valueName: "file"))
  var config: String?

  @Flag(help: "Use ~/.config/beaconmon/beaconmon.toml, the config of the daemon on the session bus.")
  var session = false

  func validate() throws {
    if session && config != nil { throw ValidationError("--session and --config cannot be combined") }
  }

  var file: ConfigurationFile { ConfigurationFile(flag: config, isSession: session) }

  /// Adds the region that the values define by the rules of the file, and prints the change with the warnings of the result.
  func add(_ values: [String: ConfigurationNode.Value], named name: String) throws {
    let region: Region
    do throws(RegionDefinitionError) {
      region = try Region(definition: values.mapValues { ConfigurationNode($0) }, owner: .config)
    } catch {
      throw Failure(.usage, error.description)
    }
    try file.add(region)
    try TerminalOutput.standardOutput.write("\(name): added to \(file.path); \(reload())\n")
    // A venue with an error ends the command only after it has said that the config has changed.
    try TerminalOutput.standardOutput.write(file.read().warnings.map { $0.warningLine + "\n" }.joined())
  }

  /// Prints the changes of each file.
  func report(_ change: String, in files: [String]) throws {
    let result = Result { try file.read() }
    let hasActions = if case .success(let read) = result { !read.configuration.notifier.actions.isEmpty } else { false }
    try TerminalOutput.standardOutput.write("\(change) \(files.joined(separator: " and ")); \(reload(withNotifier: hasActions))\n")
    // A venue with an error ends the command only after it has said that the config has changed.
    _ = try result.get()
  }

  private func reload(withNotifier: Bool = false) -> String {
    guard !session else { return "send SIGHUP to a running daemon to apply it" }
    return "`systemctl reload beaconmond\(withNotifier ? " beaconmon-notifier" : "")` applies it"
  }
}

struct RenameRegion: GuidedCommand {
  static let nextStep = "\"beaconmon config show\" lists the regions"

  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a region and the references to it in the config.",
    discussion: """
      Changes the name in the config and in its drop-ins, wherever the region is defined or an action of the notifier names it. For \
      beaconmond the region is a new one: its state is unknown at first, and past events keep the old name.

      Example:
        beaconmon region rename door entrance
      """)

  @Argument(help: "The present identifier of the region.")
  var old: String

  @Argument(help: "The new identifier of the region.")
  var new: String

  @OptionGroup var options: EditedConfig

  func run() throws {
    try options.report("\(old): renamed to \(new) in", in: options.file.rename(old, to: new))
  }
}

struct RemoveRegion: GuidedCommand {
  static let nextStep = "\"beaconmon config show\" lists the regions"

  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a region and its comments from the config.",
    discussion: """
      Removes the table of the region from the config and from its drop-ins, with the comments directly above it and in it. The config \
      does not change while an action of the notifier names the region.

      Example:
        beaconmon region remove entrance
      """)

  @Argument(help: "The identifier of the region.")
  var name: String

  @OptionGroup var options: EditedConfig

  func run() throws {
    try options.report("\(name): removed from", in: options.file.remove(name))
  }
}
