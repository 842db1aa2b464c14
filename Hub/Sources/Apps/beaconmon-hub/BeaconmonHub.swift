import ArgumentParser
import Glibc
import MachineFiles
import ProgramVersion

@main
struct BeaconmonHub: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "beaconmon-hub",
    abstract: "Store what the devices of a fleet publish.",
    discussion: """
      /usr/share/doc/beaconmon-hub/fleet.md explains how to install and operate a hub, and beaconmon-hub(8) has every command and setting.

      Examples:
        beaconmon-hub status
        beaconmon-hub status --database "host=db.example dbname=fleet"
      """,
    version: ProgramVersion.current,
    subcommands: [Migrate.self, IngestCommand.self, StatusCommand.self, WebCommand.self, AlertsCommand.self, Admin.self])

  /// Runs the command of the arguments.
  ///
  /// An error of a command with valid arguments has no summary of the syntax below it.
  static func main() {
    do {
      var command = try parseAsRoot()
      do { try command.run() } catch let error as ValidationError {
        fail(error.message)
      } catch let error as LocalFileError {
        fail(error.description)
      } catch let error as Misconfiguration {
        fail(error.description, ExitCode(EX_CONFIG))
      }
    } catch {
      exit(withError: error)
    }
  }

  private static func fail(_ message: String, _ status: ExitCode = .validationFailure) -> Never {
    let text = "Error: \(message)\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
    Glibc.exit(status.rawValue)
  }
}

/// The error of a configuration file. Its exit status keeps systemd from starting the program again.
struct Misconfiguration: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
