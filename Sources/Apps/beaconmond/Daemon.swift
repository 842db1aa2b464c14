import Captures
import DBus
import EventLoop
import Failures
import Glibc
import Instants
import Logging
import MonitorBus
import MonitorConfiguration
import ProgramSupport
import ServiceLog

/// The wiring: a bus, a monitor, the signals.
final class Daemon {
  private let settings: Settings
  private let loop: Loop
  private let services: ServiceManager
  private let log: Logger
  private let connection: DBusConnection
  private var monitor: Monitor?
  private var name: OwnedName?
  private var signals: [SignalSource] = []
  private var failure: Failure?

  init(_ settings: Settings) throws(Failure) {
    self.settings = settings
    let handler = StandardErrorLog(program: "beaconmond")
    log = Logger(label: "beaconmond") { _ in handler }
    do {
      loop = try Loop()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    services = ServiceManager(loop: loop)
    do {
      connection = try DBusConnection(loop: loop, address: settings.bus)
    } catch {
      throw Failure(.unavailable, error.message)
    }
  }

  /// Returns when told to end.
  func run() throws(Failure) -> ExitStatus {
    let configuration = try settings.configFile.read()
    let monitor = try Monitor(loop, settings.source(configuration), configuration, connection, log: log)
    monitor.onFailure = { [unowned self] in end($0) }
    self.monitor = monitor
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
    connection.flush(within: .milliseconds(250))
    return .ok
  }

  private func connectionChanged(_ state: DBusConnection.State) {
    switch state {
    case .connecting: break
    case .connected:
      if name == nil { name = connection.requestName(MonitorNames.bus) { [unowned self] in nameChanged($0) } }
    case .disconnected(let reason):
      // A bus that was never there is a mistake in the command line; one that went away comes back.
      if name == nil { end(Failure(noBus: reason)) } else { log.warning("\(reason.message); waiting for the bus") }
    }
  }

  private func nameChanged(_ state: OwnedName.State) {
    switch state {
    case .owned:
      monitor?.start()
      services.ready("Monitoring \(monitor?.source ?? "")")
    case .taken(let owner):
      let holder = owner.map { ", \($0)" } ?? ""
      end(Failure(.temporaryFailure, "\(MonitorNames.bus) is owned by another process\(holder); stop that beaconmond first, or use --bus"))
    case .refused(let error):
      end(
        Failure(.noPermission, "\(MonitorNames.bus): \(error.message); install config/dbus/org.beaconmon.Monitor1.conf, or use --session"))
    case .lost:
      log.warning("\(MonitorNames.bus) was lost with the bus")
    }
  }

  private func reload() {
    services.reloading()
    do throws(Failure) {
      let configuration = try settings.configFile.read()
      monitor?.reconfigure(configuration)
      let count = configuration.regions.count
      log.info("\(settings.configFile.path): read again, \(count) region\(count == 1 ? "" : "s")")
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
