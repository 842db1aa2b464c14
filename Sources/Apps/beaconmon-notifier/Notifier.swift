import DBus
import Delivery
import EventLoop
import Failures
import Glibc
import Instants
import Logging
import MonitorBus
import MonitorConfiguration
import ProgramSupport
import ServiceLog

/// The wiring: events from one bus, what to do at them, and the bus of the desktop.
final class Notifier {
  private let configFile: ConfigurationFile
  private let loop: Loop
  private let services: ServiceManager
  private let log: Logger
  private let connection: DBusConnection
  private let runner: EventRunner
  private let client: MonitorClient
  private var events: SignalSubscription?
  private var presence: NameWatch?
  private var signals: [SignalSource] = []
  private var failure: Failure?

  init(bus: BusAddress, desktopBus: BusAddress, configFile: ConfigurationFile) throws(Failure) {
    self.configFile = configFile
    let configuration = try configFile.read().notifier
    let handler = StandardErrorLog(program: "beaconmon-notifier")
    log = Logger(label: "beaconmon-notifier") { _ in handler }
    do throws(SystemCallError) {
      loop = try Loop()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    services = ServiceManager(loop: loop)
    do throws(DBusError) {
      connection = try DBusConnection(loop: loop, address: bus)
    } catch {
      throw Failure(.unavailable, error.message)
    }
    client = MonitorClient(connection)
    let desktop = Desktop(loop, address: desktopBus, log: log)
    runner = EventRunner(
      loop, actions: configuration.actions, parallelCommands: configuration.parallelCommands, desktop: desktop, log: log)
  }

  /// Returns when told to end.
  func run() throws(Failure) -> ExitStatus {
    connection.onTrouble = { [log] in log.warning("\($0)") }
    connection.onStateChange = { [unowned self] in connectionChanged($0) }
    do throws(SystemCallError) {
      signals = [
        try loop.signal(SIGTERM) { [unowned self] in loop.stop() },
        try loop.signal(SIGINT) { [unowned self] in loop.stop() },
        try loop.signal(SIGHUP) { [unowned self] in reload() },
      ]
      _ = try loop.run()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    if let failure { throw failure }
    services.stopping()
    if runner.pendingCount > 0 { log.notice("\(runner.pendingCount) commands are ended or not started") }
    return .ok
  }

  private func connectionChanged(_ state: DBusConnection.State) {
    switch state {
    case .connecting: break
    case .connected:
      guard events == nil else { return }
      events = client.subscribeToEvents { [unowned self] in runner.handle($0) }
      presence = client.watchPresence { [log] isThere in
        log.info("\(isThere ? "beaconmond is there, listening" : "beaconmond is not there, waiting for it")")
      }
      services.ready("Listening")
    case .disconnected(let reason):
      if events == nil { end(Failure(noBus: reason)) } else { log.warning("\(reason.message); waiting for the bus") }
    }
  }

  private func reload() {
    services.reloading()
    do throws(Failure) {
      let configuration = try configFile.read().notifier
      runner.actions = configuration.actions
      runner.parallelCommands = configuration.parallelCommands
      let count = configuration.actions.count
      log.info("\(configFile.path): read again, \(count) action\(count == 1 ? "" : "s")")
    } catch {
      log.error("\(error); the configuration before stays in force")
    }
    services.ready()
  }

  private func end(_ failure: Failure) {
    self.failure = failure
    loop.stop()
  }
}
