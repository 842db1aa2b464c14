import ArgumentParser
import DBus
import Failures
import MonitorClient
import Terminal

/// `beaconmon venue reset`: the daemon forgets learned offsets.
struct VenueReset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Delete the offsets that the daemon has learned at venues.",
    discussion: """
      beaconmond learns by walking how loudly each adapter receives the beacons of a venue. `beaconmon status` shows it. Forget it after \
      beacons were moved or exchanged, or after an antenna was changed. It applies at once. Changes require root, or permission from \
      polkit.

      Examples:
        sudo beaconmon venue reset
        sudo beaconmon venue reset gallery --adapter 00:1A:7D:DA:71:13
      """)

  @Argument(help: ArgumentHelp("The id of the venue. Default: all venues.", valueName: "venue"))
  var venue: String?

  @Option(help: ArgumentHelp("The address of an adapter, as in `beaconmon status`. Default: all adapters.", valueName: "address"))
  var adapter: String?

  @OptionGroup var bus: BusOptions

  func run() throws {
    let link = try DaemonLink(bus.address, forSession: true)
    var answer: Result<Int, DBusError>?
    link.onPresenceChange = { if !$0 { link.end(Failure(.unavailable, "beaconmond has stopped; start it again")) } }
    try link.run { client in
      client.resetLearning(venue: venue, adapter: adapter) {
        answer = $0
        link.end()
      }
    }
    switch answer {
    case .success(let count): try TerminalOutput.standardOutput.write("forgot \(count) receiver\(count == 1 ? "" : "s")\n")
    case .failure(let error) where error.isStandard("AccessDenied"): throw Failure(.noPermission, error.message)
    case .failure(let error): throw Failure(.dataError, error.message)
    case nil: throw ExitCode.failure
    }
  }
}
