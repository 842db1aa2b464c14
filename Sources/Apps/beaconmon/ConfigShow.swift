import ArgumentParser
import Failures
import MonitorConfiguration
import ProgramSupport
import Terminal

extension Config {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the effective config, and the file and line of each value.",
      discussion: """
        The output is TOML: the values of the config and of its drop-ins, each with a comment about its origin. Files are relative to the \
        folder of the config. Values of headers and the paths of web addresses are hidden, because they can be passwords.

        Exit codes: 66 if a file cannot be read, 78 for an invalid config.

        Examples:
          beaconmon config show
          beaconmon config show --defaults ./beaconmon.toml
        """)

    @Argument(help: "The config file.")
    var file = ConfigurationFile.systemFile

    @Flag(help: "Print the defaults of absent keys as well.")
    var defaults = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
      let (merged, document) = try ConfigurationFile(flag: file, isSession: false).readMerged()
      let listing = ConfigurationListing(merged)
      let output = TerminalOutput.standardOutput
      let text =
        json
        ? listing.json(files: merged.files, hasDefaults: defaults) + "\n"
        : "# \(document.title)\n\n" + listing.toml(width: output.width ?? .max, hasDefaults: defaults)
      try output.write(text)
    }
  }
}
