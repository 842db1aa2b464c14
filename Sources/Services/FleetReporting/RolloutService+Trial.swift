import Diagnostics
import FleetMessages
import Instants
import Logging
import Scheduling

// MARK: The trial

extension RolloutService {
  /// The time for which the device works with the rollout on trial, and its proof.
  struct WorkingTime {
    let begin: Instant
    /// The time of the check of the daemon that completed the minute; nil before.
    ///
    /// A report proves nothing unless it was sent since then: a device may lose the hub because of the rollout, after its first report.
    var proof: Instant?
    /// Whether the hub has acknowledged such a report.
    var isReported = false
  }

  /// The time since which a report has to be sent, whose acknowledgement confirms the trial; nil if the trial needs none now.
  public var reportDue: Instant? {
    guard record.trial != nil, let working, !working.isReported else { return nil }
    return working.proof
  }

  /// Call when the hub has acknowledged a report.
  ///
  /// - Parameter sent: the time at which the report was sent, by the clock of the scheduler.
  public func acknowledged(_ report: DeviceReport, sent: Instant) {
    guard report.revision == record.greatest, let due = reportDue, sent >= due else { return }
    working?.isReported = true
    // The device still has to work, so the next check confirms.
    timer?.arm(at: scheduler.now)
  }

  func tick() {
    guard record.trial != nil || !isFollowed else { return }
    timer?.arm(at: scheduler.now + (record.trial == nil ? Self.slowPace : Self.pace))
    advance()
    device.requestState { [weak self] in self?.judge($0) }
  }

  /// Counts the time of the trial, and ends one that has lasted too long.
  private func advance() {
    let seconds = (scheduler.now - lastTick).microseconds / 1_000_000
    lastTick = lastTick + Span.seconds(Double(seconds))
    guard let trial = record.trial else { return }
    record.trial?.elapsed += seconds
    // Without an author, the end of the trial could not be written before.
    guard trust != nil, trial.elapsed + seconds < Self.trial else { return rollBack() }
    guard trial.elapsed + seconds - written >= Self.writePace else { return }
    written = trial.elapsed + seconds
    write(record)
  }

  /// Whether the daemon uses the rollout in use.
  func usesCurrent(_ daemon: DaemonState) -> Bool {
    // After the trial, a rollout that the daemon leaves out is a problem in its health; another request would change nothing.
    daemon.revision == record.current?.rollout?.revision || record.trial == nil && daemon.revision == nil
  }

  private func judge(_ daemon: DaemonState) {
    if daemon.isAnswering { isFollowed = usesCurrent(daemon) }
    if daemon.isAnswering, !isFollowed, scheduler.now - lastReload >= Self.slowPace { reload() }
    guard let trial = record.trial, trust != nil else { return }
    if let obstacle = obstacle(daemon, trial) {
      (working, problem) = (nil, obstacle)
      return
    }
    let current = working ?? WorkingTime(begin: scheduler.now)
    working = current
    if current.isReported {
      confirm()
    } else if current.proof == nil, scheduler.now - current.begin >= Span.seconds(Double(Self.proof)) {
      working?.proof = scheduler.now
      problem = "the hub has acknowledged no report after a minute of health"
      onChange()
    }
  }

  /// Returns the reason for which the device does not work with the rollout on trial; nil if it does.
  private func obstacle(_ daemon: DaemonState, _ trial: RolloutRecord.Trial) -> String? {
    guard daemon.isAnswering else { return "the daemon does not answer" }
    let reason = daemon.problems.first.map { ": \($0)" } ?? ""
    guard isFollowed else { return "the daemon does not use it\(reason)" }
    guard daemon.severity <= trial.severity else { return "the daemon is unhealthy\(reason)" }
    return nil
  }

  func reload() {
    lastReload = scheduler.now
    device.reload { [weak self] in self?.take($0) }
  }

  private func take(_ answer: ReloadAnswer) {
    switch answer {
    case .done: return
    // Another request would change nothing before the next slow check.
    case .refused(let reason): log.warning("the daemon has not read the configuration again: \(reason)")
    case .lost(let reason):
      log.warning("the daemon has not read the configuration again: \(reason)")
      // The next check of the daemon repeats the request, such as one before the connection to the bus was up.
      lastReload = Instant(microseconds: .min)
    }
  }

  private func confirm() {
    var next = record
    (next.trial, next.former) = (nil, nil)
    next.report?.state = .confirmed
    // The next check of the daemon tries again.
    guard write(next) else { return }
    record = next
    log.notice("rollout \(record.greatest) is confirmed")
    report(next.report)
  }

  func rollBack() {
    var next = record
    (next.current, next.former, next.trial) = (record.former, nil, nil)
    next.report?.state = .rolledBack
    next.report?.text = problem.printableLine
    guard write(next) else { return }
    record = next
    log.error("rollout \(record.greatest) is rolled back: \(problem)")
    follow()
    report(next.report)
  }
}
