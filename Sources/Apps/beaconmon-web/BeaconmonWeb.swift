import DBus
import EventLoop
import Failures
import ProgramSupport
import WebAccess

@main enum BeaconmonWeb {
  static let help = """
    Serves a page that shows the venue live: its plans, beacons, positions and events, and an editor of the venue.

    Usage: beaconmon-web [--config FILE] [--system | --session | --bus ADDRESS] [--state FOLDER] [--pages FOLDER] [--leaflet FOLDER]
                         [--login ROLE]

      --config FILE      read this file and the drop-ins in conf.d beside it instead of /etc/beaconmon/beaconmon.toml; the section is [web]
      --system           use the system bus; this is the default
      --session          use the session bus and ~/.config/beaconmon/beaconmon.toml
      --bus ADDRESS      use the bus at this address
      --state FOLDER     keep the logins in this folder, so that they survive a restart
      --pages FOLDER     serve the files of the page from this folder; the default is /usr/share/beaconmon-web
      --leaflet FOLDER   serve Leaflet from this folder; the default is /usr/share/javascript/leaflet
      --login ROLE       print the address of a login at the start; ROLE is view or edit
      --version, --help

    Signals: HUP reloads the config and the certificate, TERM and INT stop the program.

    Example: beaconmon-web --session --login edit

    """

  static func main() {
    Program.run("beaconmon-web") { () throws(Failure) in try run(Array(CommandLine.arguments.dropFirst())) }
  }

  private static func run(_ arguments: [String]) throws(Failure) -> ExitStatus {
    let flags = try Flags(
      arguments, valued: ["config", "leaflet", "login", "pages", "state"] + Flags.busValued, plain: Flags.aboutPlain + Flags.busPlain,
      help: help)
    if flags.answerAbout("beaconmon-web", help: help) { return .ok }
    return try WebProgram(WebOptions(flags)).run()
  }
}

/// The command line of beaconmon-web.
struct WebOptions {
  let bus: BusAddress
  let configFile: ConfigurationFile
  /// The folder of the logins; nil if they end with the process.
  let state: String?
  let pages: String
  let leaflet: String
  /// The role of the login whose address is printed at the start; nil prints none.
  let login: WebRole?

  init(_ flags: Flags) throws(Failure) {
    bus = try flags.busAddress()
    configFile = ConfigurationFile(flag: flags["config"], isSession: flags.has("session"))
    // systemd.exec(5), `StateDirectory=`.
    state = flags["state"] ?? ChildCommand.ownEnvironment()["STATE_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    pages = flags["pages"] ?? "/usr/share/beaconmon-web"
    leaflet = flags["leaflet"] ?? "/usr/share/javascript/leaflet"
    if let text = flags["login"] {
      guard let role = WebRole(rawValue: text) else { throw Failure(.usage, "--login \"\(text)\": the roles are view and edit") }
      login = role
    } else {
      login = nil
    }
  }
}
