import DBus
import Failures
import ProgramSupport

enum BeaconmonNotifier {
  static let help = """
    Listens to beaconmond and acts on its events: runs commands, shows desktop notifications, writes log lines.

    Usage: beaconmon-notifier [--config FILE] [--system | --session | --bus ADDRESS] [--desktop-bus ADDRESS]

      --config FILE           read this instead of /etc/beaconmon/beaconmon.toml; [notifier] is its section
      --session               use the session bus and ~/.config/beaconmon/beaconmon.toml
      --bus ADDRESS           listen on the bus at this address
      --desktop-bus ADDRESS   show notifications there instead of on the session bus
      --version, --help

    Signals: HUP reads the config again, TERM and INT end it.

    Example: beaconmon-notifier --session

    """

  static func run(_ arguments: [String]) throws(Failure) -> ExitStatus {
    let flags = try Flags(
      arguments, valued: ["config", "desktop-bus"] + Flags.busValued, plain: Flags.aboutPlain + Flags.busPlain)
    if flags.answerAbout("beaconmon-notifier", help: help) { return .ok }
    let notifier = try Notifier(
      bus: flags.busAddress(), desktopBus: flags["desktop-bus"].map { .explicit($0) } ?? .session,
      configFile: ConfigurationFile(flag: flags["config"], isSession: flags.has("session")))
    return try notifier.run()
  }
}
