import DBus
import Delivery
import Failures
import Logging
import MonitorBus
import MonitorConfiguration
import ProgramSupport

/// The wiring: events from one bus, what to do at them, and the bus of the desktop.
final class Notifier {
  private let service: ServiceProgram
  private let client: MonitorClient
  private let runner: EventRunner
  private var events: EventFollower?
  private var presence: NameWatch?

  init(bus: BusAddress, desktopBus: BusAddress, configFile: ConfigurationFile) throws(Failure) {
    let settings = try configFile.read().notifier
    service = try ServiceProgram("beaconmon-notifier", bus: bus, configFile: configFile)
    client = MonitorClient(service.connection)
    runner = EventRunner(
      service.loop, actions: settings.actions, parallelCommands: settings.parallelCommands,
      desktop: Desktop(service.loop, address: desktopBus, log: service.log), log: service.log)
  }

  /// Returns when told to end.
  func run() throws(Failure) -> ExitStatus {
    try service.run { [unowned self] in
      listen()
    } onReload: { [runner] configuration in
      runner.actions = configuration.notifier.actions
      runner.parallelCommands = configuration.notifier.parallelCommands
      let count = configuration.notifier.actions.count
      return "\(count) action\(count == 1 ? "" : "s")"
    }
    if runner.pendingCount > 0 { service.log.notice("\(runner.pendingCount) commands are ended or not started") }
    return .ok
  }

  private func listen() {
    events = client.followEvents { [runner] in $0.forEach(runner.handle) }
    presence = client.watchPresence { [log = service.log] isThere in
      log.info("\(isThere ? "beaconmond is there, listening" : "beaconmond is not there, waiting for it")")
    }
    service.ready("Listening")
  }
}
