import DBus
import EventLoop
import Failures
import Glibc
import Instants
import Logging
import Metrics
import MonitorConfiguration
import Reloading
import ServiceLog
import Status

/// The common parts of the programs that are services: loop, log, bus connection, config and service manager.
/// The bus may go away and return, and SIGHUP reloads the config.
public final class ServiceProgram {
  public let loop: Loop
  public let log: Logger
  public let connection: DBusConnection
  /// The configuration in use, and its reloads.
  public let reloads: ReloadService<ConfigurationFile>
  private let program: ProgramLoop
  private let services: ServiceManager
  private var hasConnected = false
  private var traffic = TrafficWatch()
  /// The start since the Unix epoch. Computed once: the difference of two clocks is another one each time.
  private lazy var startTime = ProcessFigures.startTime(loop)
  /// Serves the metrics again if their socket has vanished.
  public var onCheck: () -> Void = {}

  /// The time after the start in which the first packets and calls touch their pages.
  /// After a large answer, more calls may follow in this time.
  private static let settling = Span.seconds(2)
  private lazy var pageTimer = loop.timer { PageTuning.returnFilePages() }

  /// - Parameter document: The configuration that the program starts with.
  public init(_ name: String, bus: BusAddress, configFile: ConfigurationFile, _ document: ConfigurationDocument) throws(Failure) {
    MallocTuning.returnLargeBlocks()
    let handler = StandardErrorLog(program: name)
    log = Logger(label: name) { _ in handler }
    program = try ProgramLoop()
    loop = program.loop
    do throws(SystemCallError) { services = try ServiceManager(loop: loop) } catch { throw Failure(.osError, "\(error)") }
    connection = try program.connect(to: bus)
    if !document.dropIns.isEmpty { log.info("\(document.title): read") }
    reloads = ReloadService(loop, configFile, document, services, uptime: { BootClock.uptime }, log: log)
    services.isStuck = { [unowned self] in traffic.isStuck(hasWaiting: connection.outgoingSize > 0, traffic: connection.activityCount) }
    // Repeated requests of a client do not postpone it.
    connection.onLargeAnswer = { [unowned self] in if pageTimer.due == nil { pageTimer.arm(after: Self.settling) } }
    services.onCheck = { [unowned self] in
      reloads.check()
      onCheck()
      PageTuning.returnFilePages()
    }
  }

  /// Runs until the program is stopped.
  ///
  /// - Parameters:
  ///   - onConnected: called once, when the bus is available.
  ///   - onReload: called with a valid config; returns its summary, such as `3 regions`, or throws why it cannot be applied.
  public func run(onConnected: @escaping () -> Void, onReload: @escaping (ConfigurationDocument) throws(Failure) -> String) throws(Failure)
  {
    connection.onTrouble = { [log] in log.warning("\($0)") }
    connection.onStateChange = { [unowned self] state in
      switch state {
      case .connecting: break
      case .connected:
        if !hasConnected { onConnected() }
        hasConnected = true
      case .disconnected(let reason):
        // A bus that never answered is a mistake in the command line; one that went away comes back.
        if hasConnected { log.warning("\(reason.message); waiting for the bus") } else { end(Failure(noBus: reason)) }
      }
    }
    reloads.onReload = onReload
    try program.run(on: [SIGHUP: { [reloads] in reloads.reload() }])
    services.stopping()
    connection.flush(within: .milliseconds(250))
  }

  /// Reports to the service manager that units that depend on this one may start.
  public func ready(_ status: String) {
    reloads.ready(status)
    // At once, so that the pages of the start and those of the first packets do not add up.
    PageTuning.returnFilePages()
    pageTimer.arm(at: loop.now + Self.settling)
  }

  /// The figures of the process and of its event loop.
  public var figures: ProcessFigures {
    var figures = ProcessFigures(ofProcess: loop)
    figures.start = startTime
    (figures.loopLatency, figures.configurationRead) = (services.loopLatency, reloads.configuration.time)
    (figures.isConfigurationCurrent, figures.isBusConnected) = (reloads.refusedReload == nil, connection.uniqueName != nil)
    return figures
  }

  /// Returns the health of the service with that of its connection to the bus.
  public func withConnection(_ health: HealthReport) -> HealthReport {
    var health = health
    if hasConnected, connection.uniqueName == nil { health.add(.daemon, .degraded, "the connection to the bus is lost; reconnecting") }
    return health
  }

  public func end(_ failure: Failure) {
    program.end(failure)
  }
}

extension ServiceManager: UnitManager {}

extension ConfigurationFile: ReloadableFile {}

extension ConfigurationDocument: ReloadableDocument {
  public func loaded(at time: Instant) -> LoadedConfiguration {
    var loaded = LoadedConfiguration(title: title, files: paths.map(Folder.absolute), time: time, digest: digest)
    loaded.hash = hash
    loaded.renamedKeys = renamedKeys.map { "\($0)" }
    (loaded.rollout, loaded.rolloutNote) = (rollout?.revision, leftOutRollout.first.map { "\($0)" })
    loaded.trialEnd = rollout?.trialEnd
    return loaded
  }
}

extension Failure {
  /// Reports a bus that is unavailable or does not answer.
  public init(noBus reason: DBusError) {
    self.init(.unavailable, "\(reason.message); start that bus, or select another one with --bus or --session")
  }
}
