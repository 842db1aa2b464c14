import DBus
import Failures
import Glibc
import LocalEndpoints
import ProgramSupport

@main enum BeaconmonWeb {
  static let help = """
    Serves a page that shows the venue live: its plans, beacons, positions and events, and an editor of the venue.

    Usage: beaconmon-web [--config FILE] [--system | --session | --bus ADDRESS] [--listen ADDRESS] [--pages FOLDER] [--leaflet FOLDER]
                         [--login ROLE]

      --config FILE      read this file and the drop-ins in conf.d beside it instead of /etc/beaconmon/beaconmon.toml
      --system           use the system bus; this is the default
      --session          use the session bus and ~/.config/beaconmon/beaconmon.toml
      --bus ADDRESS      use the bus at this address
      --listen ADDRESS   listen at this loopback port or Unix socket; the default is 127.0.0.1:8463
      --pages FOLDER     serve the files of the page from this folder; the default is /usr/share/beaconmon-web
      --leaflet FOLDER   serve Leaflet from this folder; the default is /usr/share/javascript/leaflet
      --login ROLE       print the address of a login at the start; ROLE is view or edit
      --version, --help

    Signals: HUP reloads the config, TERM and INT stop the program.

    Example: beaconmon-web --session --login edit

    """

  static func main() {
    Program.run("beaconmon-web") { () throws(Failure) in try run(Array(CommandLine.arguments.dropFirst())) }
  }

  private static func run(_ arguments: [String]) throws(Failure) -> ExitStatus {
    let flags = try Flags(
      arguments, valued: ["config", "leaflet", "listen", "login", "pages"] + Flags.busValued, plain: Flags.aboutPlain + Flags.busPlain,
      help: help)
    if flags.answerAbout("beaconmon-web", help: help) { return .ok }
    return try WebProgram(WebOptions(flags)).run()
  }
}
