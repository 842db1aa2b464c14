import Diagnostics
import FleetMessages
import Instants
import Logging
import Scheduling

/// Takes signed rollouts of configuration, tries each one for ten minutes, and returns to the former one unless it works.
///
/// The hub is not trusted: a rollout needs the signature of the configured key, an audience with this device, and a revision that is
/// greater than all before. The file has the whole state, so that a trial goes on after a restart, and ends after a power cut as well.
public final class RolloutService {
  /// The longest trial in seconds.
  static let trial: Int64 = 600
  /// The seconds for which the device has to work before a rollout is confirmed.
  static let proof: Int64 = 60
  /// The seconds after the end of a trial until readers of the file use the former rollout by themselves.
  static let grace: Int64 = 60
  /// The interval of the checks of the daemon during a trial.
  static let pace = Span.seconds(10)
  /// The interval of requests to read the configuration again, and of the checks after the trial.
  static let slowPace = Span.seconds(60)
  /// The seconds of a trial that a start of this program costs, so that a trial with restarts ends.
  static let startCost: Int64 = 60
  /// The seconds after which the elapsed time of a trial is written.
  static let writePace: Int64 = 60
  /// The time in which at most one refusal and one failure to write is logged: a hostile hub must not fill the log.
  static let logPace = Span.seconds(60)

  let scheduler: any Scheduler
  private let store: any RolloutStore
  private let verifier: any SignatureVerifier
  let device: any RolloutDevice
  let log: Logger
  var record = RolloutRecord()
  private(set) var timer: (any SchedulerTimer)?
  private(set) var trust: Trust?
  /// The rollout that was received last; nil before the first one.
  public private(set) var report: RolloutReport?
  /// The time for which the device works with the rollout on trial; nil while it does not.
  var working: WorkingTime?
  var lastTick: Instant
  var lastReload: Instant
  var written: Int64 = 0
  /// The reason for which the device does not work with the rollout on trial.
  var problem = ""
  /// Whether the daemon is known to use the rollout in use, or none if there is none.
  var isFollowed = true
  /// The severity of the daemon's health that a rollout is compared with; nil before the daemon has answered.
  private var severity: HealthSeverity?
  /// Whether there is a file that could not be read, whose greatest revision is not known.
  private var isUnreadable = false
  private var lastRefusal = Instant(microseconds: .min)
  private var lastFailure = Instant(microseconds: .min)
  /// A callback after each change of `report`, and when `reportDue` begins: a report should be sent.
  public var onChange: () -> Void = {}

  public init(
    _ scheduler: any Scheduler, _ store: any RolloutStore, _ verifier: any SignatureVerifier, _ device: any RolloutDevice, log: Logger
  ) {
    (self.scheduler, self.store, self.verifier, self.device, self.log) = (scheduler, store, verifier, device, log)
    (lastTick, lastReload) = (scheduler.now, scheduler.now)
    timer = scheduler.timer { [unowned self] in tick() }
    read()
  }

  private func read() {
    isUnreadable = false
    do {
      guard let octets = try store.read() else { return }
      if let record = RolloutRecord(octets) {
        self.record = record
      } else {
        log.error("the file of rollouts is damaged; no rollout is in use")
      }
    } catch {
      isUnreadable = true
      reportFailure("the file of rollouts cannot be read: \(error); no rollout is in use, and none is taken")
    }
    report = record.report
    guard record.trial != nil else {
      // The daemon may not have followed the end of the last trial.
      guard record.report != nil else { return }
      isFollowed = false
      timer?.arm(at: scheduler.now + Self.slowPace)
      return
    }
    problem = "the notifier was started again too often"
    record.trial?.elapsed += Self.startCost
    written = record.trial?.elapsed ?? 0
    // A trial that cannot be written ends with this run of the program at the latest. After a boot, the daemon uses it when it is written.
    write(record)
    lastReload = Instant(microseconds: .min)
    timer?.arm(at: lastTick)
  }

  /// Notes the health of the daemon, which a later rollout must not worsen.
  public func note(_ daemon: DaemonState) {
    // A daemon that does not answer, as during its start, says nothing about its health. The health with a rollout on trial, or with one
    // that is rolled back, is not a measure.
    guard daemon.isAnswering, record.trial == nil, usesCurrent(daemon) else { return }
    severity = daemon.severity
  }

  /// Trusts an author from now on; nil refuses all rollouts, and ends a trial.
  public func use(_ trust: Trust?) {
    self.trust = trust
    guard trust == nil, record.trial != nil else { return }
    problem = "the configuration has no rollout-key any more"
    rollBack()
  }
}

// MARK: A rollout arrives

extension RolloutService: HubMessageReceiver {
  public func receive(_ payload: [UInt8]) throws {
    var revision: Int64 = 0
    do throws(RolloutRefusal) {
      let (signed, rollout) = try SignedRollout.decode(payload)
      revision = rollout.revision
      guard let trust else { throw RolloutRefusal("no rollout-key in [notifier.hub]") }
      guard try isValid(signed, by: trust.key) else { throw RolloutRefusal("the signature is not by the rollout-key") }
      guard rollout.isFor(trust.address) else { throw RolloutRefusal("it is not for \(trust.address.commonName)") }
      if isUnreadable { read() }
      guard !isUnreadable else { throw RolloutRefusal("the file of rollouts cannot be read", isTemporary: true) }
      if rollout.revision == record.greatest, signed.digest == record.digest { return report(record.report) }
      guard rollout.revision > record.greatest else {
        throw RolloutRefusal("revision \(record.greatest) was taken before, and a later one has to be greater")
      }
      try take(signed, rollout, trust)
    } catch {
      guard !error.isTemporary else { throw error }
      // Only the log and the report have it: a hostile hub must not cause writes without end.
      if scheduler.now - lastRefusal >= Self.logPace {
        lastRefusal = scheduler.now
        log.warning("refused rollout \(revision): \(error)")
      }
      report(RolloutReport(revision: revision, state: .refused, text: "\(error)"))
    }
  }

  private func isValid(_ signed: SignedRollout, by key: [UInt8]) throws(RolloutRefusal) -> Bool {
    do { return try verifier.isValid(signed.signature, of: signed.signedOctets, by: key) } catch {
      throw RolloutRefusal("the signature cannot be verified: \(error)")
    }
  }

  /// Uses a rollout of the trusted author, on trial.
  private func take(_ signed: SignedRollout, _ rollout: Rollout, _ trust: Trust) throws(RolloutRefusal) {
    var next = record
    (next.greatest, next.digest) = (rollout.revision, signed.digest)
    if let problem = try problem(with: signed) {
      // The state of the one on trial stays in the file, and its end is reported.
      guard record.trial == nil else { throw RolloutRefusal(problem.printableLine) }
      next.report = RolloutReport(revision: rollout.revision, state: .refused, text: problem.printableLine)
      try store(next)
      log.warning("refused rollout \(rollout.revision): \(problem)")
      return report(next.report)
    }
    // One on trial has not proved to work, and one of another author is not trusted any more.
    next.former = record.trial == nil ? record.current : record.former
    if record.key != trust.key { next.former = nil }
    (next.current, next.key) = (signed, trust.key)
    // The health with another rollout on trial is not a measure. Unknown health counts as degraded.
    next.trial = RolloutRecord.Trial(severity: record.trial?.severity ?? severity ?? .degraded)
    next.report = RolloutReport(revision: rollout.revision, state: .onTrial)
    try store(next)
    log.notice("rollout \(rollout.revision) is on trial for \(Self.trial / 60) minutes")
    (working, written, problem) = (nil, 0, "the daemon does not use it")
    lastTick = scheduler.now
    follow()
    report(next.report)
  }

  private func problem(with signed: SignedRollout) throws(RolloutRefusal) -> String? {
    do { return try device.problem(with: signed) } catch {
      // The hub repeats the rollout. A refusal would be final, although the rollout has no fault.
      throw RolloutRefusal("rollout \(signed.rollout?.revision ?? 0) needs a valid configuration: \(error)", isTemporary: true)
    }
  }

  private func store(_ next: RolloutRecord) throws(RolloutRefusal) {
    // The hub repeats the rollout.
    guard write(next) else { throw RolloutRefusal("the file of rollouts cannot be written", isTemporary: true) }
    record = next
  }

  @discardableResult
  func write(_ record: RolloutRecord) -> Bool {
    var record = record
    if let trial = record.trial {
      // Without this program, the daemon uses the former rollout from then on.
      var end = device.trialClock
      end.seconds += max(Self.trial - trial.elapsed, 0) + Self.grace
      record.trial?.end = end
    }
    do { try store.write(record.octets) } catch {
      reportFailure("the file of rollouts cannot be written: \(error)")
      return false
    }
    return true
  }

  private func reportFailure(_ text: String) {
    guard scheduler.now - lastFailure >= Self.logPace else { return }
    lastFailure = scheduler.now
    log.error("\(text)")
  }

  func report(_ report: RolloutReport?) {
    self.report = report
    onChange()
  }

  /// Makes all programs use the rollout in use.
  func follow() {
    reload()
    isFollowed = false
    timer?.arm(at: scheduler.now + Self.pace)
  }
}
