import DBus
import Diagnostics
import EventLoop
import Failures
import FleetReporting
import Glibc
import Instants
import Logging
import Metrics
import MonitorConfiguration
import ServiceLog
import Status

/// The common parts of the programs that are services: loop, log, bus connection, config and service manager.
/// The bus may go away and return, and SIGHUP reloads the config.
public final class ServiceProgram {
  public let loop: Loop
  public let log: Logger
  public let connection: DBusConnection
  private let program: ProgramLoop
  private let services: ServiceManager
  private let configFile: ConfigurationFile
  private var hasConnected = false
  private var unit = UnitStatus() {
    didSet { if unit.refusedReload != oldValue.refusedReload { onRefusedReloadChange() } }
  }
  /// The last reload, if it was refused; nil since a reload succeeded, and before the first one.
  public var refusedReload: RefusedReload? { unit.refusedReload }
  public var onRefusedReloadChange: () -> Void = {}
  /// Returns the health for the status of the unit; nil shows none.
  public var health: () -> HealthReport? = { nil }
  private var traffic = TrafficWatch()
  /// The configuration in use.
  public private(set) var configuration: LoadedConfiguration {
    didSet {
      unit.note = configuration.note
      followTrial()
      onConfigurationChange()
    }
  }
  public var onConfigurationChange: () -> Void = {}
  private var onReload: (ConfigurationDocument) throws(Failure) -> String = { _ throws(Failure) in "" }
  /// The start since the Unix epoch. Computed once: the difference of two clocks is another one each time.
  private lazy var startTime = ProcessFigures.startTime(loop)
  /// Serves the metrics again if their socket has vanished.
  public var onCheck: () -> Void = {}

  /// The time after the start in which the first packets and calls touch their pages.
  /// After a large answer, more calls may follow in this time.
  private static let settling = Span.seconds(2)
  private let trial: TrialWatch
  private lazy var pageTimer = loop.timer { PageTuning.giveBackFilePages() }

  /// - Parameter document: The configuration that the program starts with.
  public init(_ name: String, bus: BusAddress, configFile: ConfigurationFile, _ document: ConfigurationDocument) throws(Failure) {
    MallocTuning.giveBackLargeBlocks()
    self.configFile = configFile
    configuration = LoadedConfiguration(document)
    let handler = StandardErrorLog(program: name)
    log = Logger(label: name) { _ in handler }
    program = try ProgramLoop()
    loop = program.loop
    do throws(SystemCallError) { services = try ServiceManager(loop: loop) } catch { throw Failure(.osError, "\(error)") }
    connection = try program.connect(to: bus)
    trial = TrialWatch(loop, uptime: { BootClock.uptime }, stored: { configFile.storedRollout })
    trial.onEnd = { [unowned self] in reload() }
    unit.note = configuration.note
    services.isStuck = { [unowned self] in traffic.isStuck(hasWaiting: connection.outgoingSize > 0, traffic: connection.activityCount) }
    // Repeated requests of a client do not postpone it.
    connection.onLargeAnswer = { [unowned self] in if pageTimer.due == nil { pageTimer.arm(after: Self.settling) } }
    services.onCheck = { [unowned self] in
      updateStatus()
      onCheck()
      PageTuning.giveBackFilePages()
    }
    followTrial()
    if !document.dropIns.isEmpty { log.info("\(document.title): read") }
    warnAboutRenamedKeys(document)
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
    self.onReload = onReload
    try program.run(on: [SIGHUP: { [unowned self] in reload() }])
    services.stopping()
    connection.flush(within: .milliseconds(250))
  }

  /// Reports to the service manager that units that depend on this one may start.
  public func ready(_ status: String) {
    unit.activity = status
    services.ready(unit.change())
    // At once, so that the pages of the start and those of the first packets do not add up.
    PageTuning.giveBackFilePages()
    pageTimer.arm(at: loop.now + Self.settling)
  }

  private func warnAboutRenamedKeys(_ document: ConfigurationDocument) {
    for warning in document.renamedKeys { log.warning("\(warning)") }
  }

  /// The figures of the process and of its event loop.
  public var figures: ProcessFigures {
    var figures = ProcessFigures(ofProcess: loop)
    figures.start = startTime
    (figures.loopLatency, figures.configurationRead) = (services.loopLatency, configuration.time)
    (figures.isConfigurationCurrent, figures.isBusConnected) = (refusedReload == nil, connection.uniqueName != nil)
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

  /// Reads the configuration again, as SIGHUP does; a problem of it is then the `refusedReload`.
  public func reload() {
    services.reloading()
    do throws(Failure) {
      let document = try configFile.read()
      let summary = try onReload(document)
      log.info("\(document.title): reloaded, \(summary)", metadata: .init(.configurationRead))
      warnAboutRenamedKeys(document)
      configuration = LoadedConfiguration(document)
      unit.refusedReload = nil
    } catch {
      let problems = error.description.split(separator: "\n")
      for problem in problems.prefix(Self.mostLoggedProblems) { log.error("\(problem)") }
      if problems.count > Self.mostLoggedProblems {
        log.error("\(problems.count - Self.mostLoggedProblems) more errors; \"beaconmon config check \(configFile.path)\" prints all")
      }
      log.error("\(configFile.path): refused; keeping the previous configuration", metadata: .init(.configurationRefused))
      unit.refusedReload = RefusedReload(time: WallClock.now, problems)
    }
    // The health follows with the next check of the watchdog, when it knows the new configuration.
    services.ready(unit.change())
  }

  private func followTrial() {
    trial.follow(TrialWatch.Rollout(revision: configuration.rollout ?? 0, trialEnd: configuration.trialEnd))
  }

  /// Reports a changed health to the service manager, after a check of the watchdog and so without a wake-up of its own.
  private func updateStatus() {
    guard !unit.activity.isEmpty, let text = unit.change(health()) else { return }
    services.status(text)
  }

  /// The maximum number of problems in the log; more do not help a reader, and flood the system's journal.
  private static let mostLoggedProblems = 20
}

/// A configuration that was read and applied.
public struct LoadedConfiguration: Equatable {
  /// The paths of the files from the root, the main one first.
  public let files: [String]
  /// The time of the reading since the Unix epoch.
  public let time: Instant
  /// The digest of the keys and values.
  public let digest: UInt64
  /// The SHA-256 of the keys and values, for a hub; nil without one.
  public let hash: [UInt8]?
  /// The first key with an old name, and the number of further ones; nil if there is none.
  public let note: String?
  /// The revision of the rollout in it; nil if there is none.
  public let rollout: Int64?
  /// The first problem of a rollout that is not in use; nil if there is none.
  public let rolloutNote: String?
  /// The end of the rollout's trial on `BootClock`; nil if there is none.
  let trialEnd: Span?

  init(_ document: ConfigurationDocument) {
    (files, time, digest, hash) = (document.paths.map(Folder.absolute), WallClock.now, document.digest, document.hash)
    let more = document.renamedKeys.count > 1 ? " (and \(document.renamedKeys.count - 1) more)" : ""
    note = document.renamedKeys.first.map { "\($0)\(more)" }
    (rollout, rolloutNote) = (document.rollout?.revision, document.leftOutRollout.first.map { "\($0)" })
    trialEnd = document.rollout?.trialEnd
  }
}

extension Failure {
  /// Reports a bus that is unavailable or does not answer.
  public init(noBus reason: DBusError) {
    self.init(.unavailable, "\(reason.message); start that bus, or select another one with --bus or --session")
  }
}
