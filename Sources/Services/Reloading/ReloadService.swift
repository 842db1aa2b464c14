import Diagnostics
import Failures
import Instants
import Logging
import Scheduling
import Status

/// Reloads the configuration of a service, and keeps the previous one if a new one is refused.
///
/// The service manager and the log receive each result. The line of the unit shows a refused reload until another one succeeds.
public final class ReloadService<File: ReloadableFile> {
  private let scheduler: any Scheduler
  private let file: File
  private let manager: any UnitManager
  private let log: Logger
  private let trial: TrialWatch
  private var unit = UnitStatus() {
    didSet { if unit.refusedReload != oldValue.refusedReload { onRefusedReloadChange() } }
  }

  /// The configuration in use.
  public private(set) var configuration: LoadedConfiguration {
    didSet {
      follow()
      onConfigurationChange()
    }
  }
  /// The last reload, if it was refused; nil since a reload succeeded, and before the first one.
  public var refusedReload: RefusedReload? { unit.refusedReload }
  public var onConfigurationChange: () -> Void = {}
  public var onRefusedReloadChange: () -> Void = {}
  /// Applies a valid config, and returns its summary, such as `3 regions`; throws why it cannot be applied.
  public var onReload: (File.Document) throws(Failure) -> String = { _ throws(Failure) in "" }
  /// Returns the health for the line of the unit; nil shows none.
  public var health: () -> HealthReport? = { nil }

  /// - Parameters:
  ///   - document: The configuration that the program starts with.
  ///   - uptime: Returns the time since the boot of the machine, including sleep.
  public init(
    _ scheduler: any Scheduler, _ file: File, _ document: File.Document, _ manager: any UnitManager, uptime: @escaping () -> Span,
    log: Logger
  ) {
    (self.scheduler, self.file, self.manager, self.log) = (scheduler, file, manager, log)
    configuration = document.loaded(at: scheduler.wallClock)
    trial = TrialWatch(scheduler, uptime: uptime, stored: { file.storedRollout })
    trial.onEnd = { [unowned self] in reload() }
    follow()
    warnAboutRenamedKeys(configuration)
  }

  /// Reports to the service manager that units that depend on this one may start.
  ///
  /// - Parameter activity: The activity of the program, such as `Listening`.
  public func ready(_ activity: String) {
    unit.activity = activity
    manager.ready(unit.change())
  }

  /// Reads the configuration again, as SIGHUP does; a problem of it is then the `refusedReload`.
  public func reload() {
    manager.reloading()
    do throws(Failure) {
      let document = try file.read()
      let summary = try onReload(document)
      let loaded = document.loaded(at: scheduler.wallClock)
      log.info("\(loaded.title): reloaded, \(summary)", metadata: .init(.configurationRead))
      warnAboutRenamedKeys(loaded)
      configuration = loaded
      unit.refusedReload = nil
    } catch {
      refuse(error)
    }
    // The health follows with the next check of the watchdog, when it knows the new configuration.
    manager.ready(unit.change())
  }

  /// Reports a changed health to the service manager.
  ///
  /// Call after a check of the watchdog: a changed health causes no wake-up of its own.
  public func check() {
    guard !unit.activity.isEmpty, let text = unit.change(health()) else { return }
    manager.status(text)
  }

  private func refuse(_ failure: Failure) {
    let problems = failure.description.split(separator: "\n")
    for problem in problems.prefix(mostLoggedProblems) { log.error("\(problem)") }
    if problems.count > mostLoggedProblems {
      log.error("\(problems.count - mostLoggedProblems) more errors; \"beaconmon config check \(file.path)\" prints all")
    }
    log.error("\(file.path): refused; keeping the previous configuration", metadata: .init(.configurationRefused))
    unit.refusedReload = RefusedReload(time: scheduler.wallClock, problems)
  }

  private func follow() {
    unit.note = configuration.note
    trial.follow(TrialWatch.Rollout(revision: configuration.rollout ?? 0, trialEnd: configuration.trialEnd))
  }

  private func warnAboutRenamedKeys(_ loaded: LoadedConfiguration) {
    for warning in loaded.renamedKeys { log.warning("\(warning)") }
  }

  /// The maximum number of problems in the log; more do not help a reader, and flood the system's journal.
  private var mostLoggedProblems: Int { 20 }
}

extension Logger.Metadata {
  /// Creates the fields of a log line that is about no event.
  fileprivate init(_ message: LogMessage) {
    self = message.fields().mapValues { .string($0) }
  }
}
