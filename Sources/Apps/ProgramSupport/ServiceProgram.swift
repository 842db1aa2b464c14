import DBus
import EventLoop
import Failures
import Glibc
import Instants
import Logging
import MonitorConfiguration
import ServiceLog

/// What the daemon and the notifier have in common: a loop, a log, a bus that may go away, a config that is read again with SIGHUP, and a service manager.
public final class ServiceProgram {
  public let loop: Loop
  public let log: Logger
  public let connection: DBusConnection
  private let program: ProgramLoop
  private let services: ServiceManager
  private let configFile: ConfigurationFile
  private var hasConnected = false

  public init(_ name: String, bus: BusAddress, configFile: ConfigurationFile) throws(Failure) {
    Heap.giveBackLargeBlocks()
    self.configFile = configFile
    let handler = StandardErrorLog(program: name)
    log = Logger(label: name) { _ in handler }
    program = try ProgramLoop()
    loop = program.loop
    services = ServiceManager(loop: loop)
    connection = try program.connect(to: bus)
  }

  /// Runs until it is told to end.
  ///
  /// - Parameters:
  ///   - onConnected: once, when the bus is there.
  ///   - onReload: with a config that is valid; says what was read, such as `3 regions`, or throws why it cannot be put into effect.
  public func run(onConnected: @escaping () -> Void, onReload: @escaping (Configuration) throws(Failure) -> String) throws(Failure) {
    connection.onTrouble = { [log] in log.warning("\($0)") }
    connection.onStateChange = { [unowned self] state in
      switch state {
      case .connecting: break
      case .connected:
        if !hasConnected { onConnected() }
        hasConnected = true
      case .disconnected(let reason):
        // A bus that was never there is a mistake in the command line; one that went away comes back.
        if hasConnected { log.warning("\(reason.message); waiting for the bus") } else { end(Failure(noBus: reason)) }
      }
    }
    try program.run(on: [SIGHUP: { [unowned self] in reload(onReload) }])
    services.stopping()
    connection.flush(within: .milliseconds(250))
  }

  /// The service manager may start what depends on this.
  public func ready(_ status: String) {
    services.ready(status)
  }

  public func end(_ failure: Failure) {
    program.end(failure)
  }

  private func reload(_ onReload: (Configuration) throws(Failure) -> String) {
    services.reloading()
    do throws(Failure) {
      let configuration = try configFile.read()
      let summary = try onReload(configuration)
      log.info("\(configFile.path): read again, \(summary)")
    } catch {
      for problem in error.description.split(separator: "\n") { log.error("\(problem)") }
      log.error("\(configFile.path): refused; the configuration before stays in force")
    }
    services.ready()
  }
}
