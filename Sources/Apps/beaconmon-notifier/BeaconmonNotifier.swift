import DBus
import EventLoop
import EventOutbox
import Failures
import Glibc
import Instants
import ProgramSupport
import SQLite

@main enum BeaconmonNotifier {
  static let help = """
    Delivers events of beaconmond to commands, webhooks, MQTT brokers, desktop notifications, the log, and apps that have registered
    regions.

    Usage: beaconmon-notifier [--config FILE] [--system | --session | --bus ADDRESS] [--desktop-bus ADDRESS] [--state FOLDER] [--apps]
                              [--action-socket PATH]
           beaconmon-notifier --test REGION EVENT [--config FILE] [--session] [--desktop-bus ADDRESS] [--action-socket PATH]
           beaconmon-notifier --outbox [--session] [--state FOLDER]
           beaconmon-notifier --run-action [--config FILE]

      --config FILE           read this file and the drop-ins in conf.d beside it instead of /etc/beaconmon/beaconmon.toml; the section
                              is [notifier]
      --system                use the system bus; this is the default
      --session               use the session bus and ~/.config/beaconmon/beaconmon.toml
      --bus ADDRESS           use the bus at this address
      --desktop-bus ADDRESS   show notifications and wake apps on this bus instead of the session bus
      --state FOLDER          keep the outbox in this folder, so that waiting deliveries survive a restart
      --apps                  wake this user's apps at their registered regions; needs no config file
      --action-socket PATH    run commands through this socket, in beaconmon-action@.service; the default is
                              /run/beaconmon-action.socket if it exists and the config is /etc/beaconmon/beaconmon.toml, else child processes
      --test REGION EVENT     send a test event to every target that matches it, and print the results
      --outbox                list waiting deliveries and dead letters with their reasons; the default folder is /var/lib/beaconmon-notifier
      --run-action            run the command of one action for the connection on standard input, for beaconmon-action@.service;
                              runs nothing if a user other than root can write the config, a drop-in or a folder above them
      --version, --help

    Signals: HUP reloads the config, TERM and INT stop the program.

    Example: beaconmon-notifier --test entrance enter

    """

  static func main() {
    Program.run("beaconmon-notifier") { () throws(Failure) in try run(Array(CommandLine.arguments.dropFirst())) }
  }

  private static func run(_ arguments: [String]) throws(Failure) -> ExitStatus {
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
    let isPersonal = isSession || flags.has("apps")
    let desktopBus = flags["desktop-bus"].map { BusAddress.explicit($0) } ?? .session
    let actionSocket = flags["action-socket"] ?? defaultActionSocket(for: configFile)
    if let test { return try TestRun(test, configFile, desktopBus: desktopBus, actionSocket: actionSocket, isPersonal: isPersonal).run() }
    return try Notifier(
      bus: flags.busAddress(), desktopBus: desktopBus, configFile: configFile, state: state, actionSocket: actionSocket,
      isPersonal: isPersonal, wakesApps: flags.has("apps")
    ).run()
  }

  /// The socket of `beaconmon-action.socket`, which runs only commands of the system's configuration.
  /// It is nil if systemd has not made it.
  private static func defaultActionSocket(for configFile: ConfigurationFile) -> String? {
    let path = "/run/beaconmon-action.socket"
    return configFile.path == ConfigurationFile.systemFile && access(path, F_OK) == 0 ? path : nil
  }
}

/// The output of `--outbox`: a line for each target with pending deliveries, and one for each delivery that was given up.
enum OutboxListing {
  static func write(_ path: String) throws(Failure) -> ExitStatus {
    guard access(path, F_OK) == 0 else {
      let error = SystemCallError.last("open", path)
      if error.code == EACCES {
        throw Failure(.noPermission, "\(error); run the command as its owner; for the service, with \"sudo -u beaconmon\"")
      }
      throw Failure(.noInput, "\(error); there is no outbox")
    }
    let loop = try ProgramLoop().loop
    do throws(DatabaseError) {
      let outbox = try Outbox(loop, path: path, device: "", isKept: true)
      for (target, count) in try outbox.waitingCounts() { Program.write("\(target): \(count) waiting\n", to: STDOUT_FILENO) }
      for letter in try outbox.deadLetters() {
        Program.write("\(letter.target): given up \(letter.time.rfc3339): \(letter.reason): \(letter.json)\n", to: STDOUT_FILENO)
      }
    } catch {
      throw Failure(.dataError, "\(error)")
    }
    return .ok
  }
}
