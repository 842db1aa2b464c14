import ArgumentParser
import MonitorConfiguration
import ProgramSupport
import Terminal

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Work with the configuration.",
    discussion: """
      Example:
        beaconmon config check ./beaconmon.toml
      """,
    subcommands: [Check.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say whether a config is valid, and if not, all that is wrong with it.",
      discussion: """
        Of a valid one it says what will not work as it stands, such as a circle that is smaller than any fix is good to.
        Exit code 0 when it is valid, 78 when it is not, 66 when the file cannot be read.

        Examples:
          beaconmon config check
          beaconmon config check ./beaconmon.toml
        """)

    @Argument(help: "The file; /etc/beaconmon/beaconmon.toml when none is given.")
    var file = ConfigurationFile.systemFile

    func run() throws {
      let configuration = try ConfigurationFile(flag: file, isSession: false).read()
      let (regions, actions) = (configuration.regions.count, configuration.notifier.actions.count)
      try TerminalOutput.standardOutput.write(
        "\(file): valid, \(regions) region\(regions == 1 ? "" : "s"), \(actions) action\(actions == 1 ? "" : "s")\n"
          + configuration.doubts.map { "\(file): \($0)\n" }.joined())
    }
  }
}
