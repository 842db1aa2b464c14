import ArgumentParser
import ProgramVersion

@main
struct BeaconmonHub: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "beaconmon-hub",
    abstract: "Stores what the devices of a fleet publish.",
    discussion: """
      /usr/share/doc/beaconmon-hub/fleet.md explains how to install and operate a hub, and beaconmon-hub(8) has every command and setting.

      Examples:
        beaconmon-hub status
        beaconmon-hub status --database "host=db.example dbname=fleet"
      """,
    version: ProgramVersion.current,
    subcommands: [Migrate.self, IngestCommand.self, StatusCommand.self, WebCommand.self, AlertsCommand.self, Admin.self])
}
