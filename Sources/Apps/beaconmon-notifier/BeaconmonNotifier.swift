import DBus
import Failures
import Glibc
import ProgramSupport

enum BeaconmonNotifier {
  static let help = """
    Listens to beaconmond and brings its events to their targets: commands, webhooks, MQTT brokers, desktop notifications, log lines,
    and apps that have registered regions.

    Usage: beaconmon-notifier [--config FILE] [--system | --session | --bus ADDRESS] [--desktop-bus ADDRESS] [--state FOLDER] [--apps]
                              [--action-socket PATH]
           beaconmon-notifier --test REGION EVENT [--config FILE] [--session] [--desktop-bus ADDRESS] [--action-socket PATH]
           beaconmon-notifier --outbox [--session] [--state FOLDER]
           beaconmon-notifier --run-action [--config FILE]

      --config FILE           read this instead of /etc/beaconmon/beaconmon.toml; [notifier] is its section
      --system                use the system bus, as without any of these
      --session               use the session bus and ~/.config/beaconmon/beaconmon.toml
      --bus ADDRESS           listen on the bus at this address
      --desktop-bus ADDRESS   show notifications and wake apps there instead of on the session bus
      --state FOLDER          keep the outbox there: what waits survives a restart
      --apps                  wake this user's apps at the regions that they have registered; without a config file that is all
      --action-socket PATH    have commands run through this socket, by beaconmon-action@.service; without it through
                              /run/beaconmon-action.socket if that exists and the config is /etc/beaconmon/beaconmon.toml, else as children
      --test REGION EVENT     send one event, marked as a test, to every target that wants it, and say what happened
      --outbox                say what waits, and what was given up and why; looks in /var/lib/beaconmon-notifier unless told otherwise
      --run-action            run the command of one action for the connection on standard input: what beaconmon-action@.service does.
                              Only root may be able to write the config
      --version, --help

    Signals: HUP reads the config again, TERM and INT end it.

    Example: beaconmon-notifier --test entrance enter

    """

  static func run(_ arguments: [String]) throws(Failure) -> ExitStatus {
    let (arguments, test) = try TestRequest.extract(from: arguments)
    let flags = try Flags(
      arguments, valued: ["action-socket", "config", "desktop-bus", "state"] + Flags.busValued,
      plain: ["apps", "outbox", "run-action"] + Flags.aboutPlain + Flags.busPlain, help: help)
    if flags.answerAbout("beaconmon-notifier", help: help) { return .ok }
    let isSession = flags.has("session")
    let state = StateFolder(flag: flags["state"], isSession: isSession)
    if flags.has("outbox") { return try OutboxListing.write(state.outbox ?? StateFolder.outboxOfService) }
    if flags.has("run-action") { return try ActionRun.run(config: flags["config"] ?? ConfigurationFile.systemFile) }
    let configFile = ConfigurationFile(flag: flags["config"], isSession: isSession, isOptional: flags.has("apps"))
    let desktopBus = flags["desktop-bus"].map { BusAddress.explicit($0) } ?? .session
    let actionSocket = flags["action-socket"] ?? defaultActionSocket(for: configFile)
    if let test { return try TestRun(test, configFile, desktopBus: desktopBus, actionSocket: actionSocket).run() }
    return try Notifier(
      bus: flags.busAddress(), desktopBus: desktopBus, configFile: configFile, state: state, actionSocket: actionSocket,
      wakesApps: flags.has("apps")
    ).run()
  }

  /// The socket of `beaconmon-action.socket`, which runs only commands of the system's configuration.
  /// It is nil if systemd has not made it.
  private static func defaultActionSocket(for configFile: ConfigurationFile) -> String? {
    let path = "/run/beaconmon-action.socket"
    return configFile.path == ConfigurationFile.systemFile && access(path, F_OK) == 0 ? path : nil
  }
}
