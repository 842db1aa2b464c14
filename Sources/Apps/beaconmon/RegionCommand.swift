import ArgumentParser
import ConfigurationTree
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Regions
import Terminal

struct RegionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "region",
    abstract: "Add regions to the config.",
    discussion: """
      Example:
        beaconmon region add circle shop \\
          --latitude 48.137154 --longitude 11.57549 --radius 150
      """,
    subcommands: [Add.self])

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a region to the config.", subcommands: [AddCircle.self])
  }
}

struct AddCircle: GuidedCommand {
  static let nextStep = "\"beaconmon locate\" shows the latitude and longitude of this device"

  static let configuration = CommandConfiguration(
    commandName: "circle",
    abstract: "Append a circle on the earth to the config.",
    discussion: """
      Appends a [[region]]. The rest of the file stays as it is, and the file does not change if the result would be invalid. \
      `systemctl reload beaconmond` applies it.

      Examples:
        beaconmon region add circle shop \\
          --latitude 48.137154 --longitude 11.57549 --radius 150
        beaconmon region add circle mall \\
          --latitude -33.8688 --longitude 151.2093 --radius 400 \\
          --scan-only-near --dwell 10m
      """)

  @Argument(help: "The identifier of the region in events.")
  var name: String

  // A value that begins with a hyphen is a value here.
  @Option(parsing: .unconditional, help: ArgumentHelp("The latitude of the center, positive north.", valueName: "degrees"))
  var latitude: Double

  @Option(parsing: .unconditional, help: ArgumentHelp("The longitude of the center, positive east.", valueName: "degrees"))
  var longitude: Double

  @Option(parsing: .unconditional, help: ArgumentHelp("The radius, 1 to 20000000.", valueName: "metres"))
  var radius: Double

  @Option(help: ArgumentHelp("Send a dwell event after a stay of this length, such as 10m.", valueName: "time"), transform: Span.parse)
  var dwell: Span?

  @Flag(help: "Scan for beacons only near this circle.")
  var scanOnlyNear = false

  @Option(help: ArgumentHelp("The config. Default: /etc/beaconmon/beaconmon.toml.", valueName: "file"))
  var config: String?

  @Flag(help: "Use ~/.config/beaconmon/beaconmon.toml, the config of the daemon on the session bus.")
  var session = false

  func validate() throws {
    if session && config != nil { throw ValidationError("--session and --config cannot be combined") }
  }

  func run() throws {
    let file = ConfigurationFile(flag: config, isSession: session)
    try file.add(try region)
    let warnings = try file.read().warnings.map { $0.warningLine + "\n" }
    try TerminalOutput.standardOutput.write("\(name): added to \(file.path); \(reload)\n" + warnings.joined())
  }

  /// The region, checked by the rules of the file, with the option names of the command line in errors.
  private var region: CircularRegion {
    get throws(Failure) {
      var values: [String: ConfigurationNode.Value] = [
        "identifier": .text(name), "latitude": .number(latitude), "longitude": .number(longitude), "radius": .number(radius),
        "scanOnlyNear": .flag(scanOnlyNear),
      ]
      if let dwell { values["dwell"] = .text(dwell.text) }
      do throws(RegionDefinitionError) {
        let region = try Region(definition: values.mapValues { ConfigurationNode($0) }, owner: .config)
        if let circle = region.circularRegion { return circle }
      } catch {
        throw Failure(.usage, error.description)
      }
      throw Failure(.usage, "radius: is missing; a circle requires it")
    }
  }

  private var reload: String {
    session ? "send SIGHUP to a running daemon to apply it" : "`systemctl reload beaconmond` applies it"
  }
}
