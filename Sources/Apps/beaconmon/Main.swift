import ArgumentParser
import Failures
import ProgramSupport
import ProgramVersion
import Terminal

@main
enum Main {
  static func main() {
    Program.openStandardDescriptors()
    TerminalOutput.ignoreBrokenPipes()
    do {
      var command = try Beaconmon.parseAsRoot(NegativeNumber.hidden(in: Array(CommandLine.arguments.dropFirst())))
      try command.run()
    } catch OutputError.closed {
      // The reader has closed the output, as in `beaconmon monitor | head`.
    } catch let error as OutputError {
      Program.run("beaconmon") { () throws(Failure) in throw Failure(.ioError, "\(error)") }
    } catch let failure as Failure {
      Program.run("beaconmon") { () throws(Failure) in throw failure }
    } catch  where Beaconmon.exitCode(for: error) == .validationFailure {
      let text = UsageText(for: error, in: CommandLine.arguments.dropFirst()).text
      Program.run("beaconmon") { () throws(Failure) in throw Failure(.usage, text) }
    } catch {
      Beaconmon.exit(withError: error)
    }
  }
}

struct Beaconmon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "beaconmon",
    abstract: "Show beacons, regions and locations, follow events, and replay captures.",
    discussion: """
      Examples:
        beaconmon scan
        beaconmon range 8ec76ea3-6668-48da-9866-75be8bc86f4d
        beaconmon monitor --json
        beaconmon replay walk.btsnoop --summary

      Exit codes are those of sysexits.h: 64 wrong usage, 65 invalid data, 66 file cannot be read, 69 daemon or receiver unavailable, 74 \
      output cannot be written, 75 try again later, 77 permission denied, 78 invalid config.
      """,
    version: ProgramVersion.current,
    subcommands: [
      SetupCommand.self, Scan.self, Range.self, SurveyCommand.self, Monitor.self, Events.self, Explain.self, Status.self, Doctor.self,
      Locate.self, Track.self,
      Where.self,
      HeadingCommand.self, RecordCommand.self, Replay.self, Simulate.self, Calibrate.self, Advertise.self, Stamp.self, RouteCommand.self,
      GuideCommand.self, ShareCommand.self, FriendsCommand.self, Privacy.self, RegionCommand.self, VenueCommand.self, WebCommand.self,
      Config.self,
    ])
}
