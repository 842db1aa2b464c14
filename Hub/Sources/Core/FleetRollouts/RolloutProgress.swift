import FleetMessages
public import Instants

/// The progress of a rollout: to the canaries, then to the rest of the audience. It reads no clock.
///
/// A failure ends it, and nothing more is sent. Devices decide for themselves whether they keep a revision: the hub only stops passing it
/// on.
public struct RolloutProgress: Hashable, Sendable {
  public enum Phase: String, CaseIterable, Sendable {
    /// Not all canaries have confirmed it.
    case canary
    /// All canaries have confirmed it, and have to stay healthy.
    case soak
    /// The whole audience gets it, also devices that return or are enrolled later.
    case rest
    /// An operator has stopped it.
    case stopped
    case failed

    /// Whether devices get the rollout in this phase.
    public var isActive: Bool { self == .canary || self == .soak || self == .rest }
  }

  /// The times for which canaries may have to stay healthy: at most 30 days.
  public static let soaks = Span.zero...Span.seconds(30 * 86_400)
  /// The time in which a canary has to confirm or to refuse: a trial takes 10 minutes, and a report comes every 5 minutes.
  static let trialLimit = Span.seconds(1800)
  /// The silence of a canary that ends the soak: three reports.
  static let silenceLimit = Span.seconds(900)
  /// The failures of other devices that end the rollout, and their smallest share in the devices that have answered: a tenth.
  static let (fewestFailures, failureShare) = (2, 10)

  public let revision: Int64
  /// The time for which the canaries have to stay healthy.
  public let soak: Span
  public private(set) var phase: Phase
  /// The start of the phase, or of the last time in the soak at which a canary had a new problem.
  public private(set) var since: Instant
  /// The reason of a failure or of a stop, or for which the soak waits; empty otherwise.
  public private(set) var reason: String
  /// The phase that `resume` returns to; nil while the rollout is active.
  public private(set) var interrupted: Phase?
  /// The failures of other devices that an operator has accepted.
  public private(set) var acceptedFailures: Int

  public init(
    revision: Int64, soak: Span, phase: Phase = .canary, since: Instant, reason: String = "", interrupted: Phase? = nil,
    acceptedFailures: Int = 0
  ) {
    (self.revision, self.soak, self.phase, self.since) = (revision, soak, phase, since)
    (self.reason, self.interrupted, self.acceptedFailures) = (reason, interrupted, acceptedFailures)
  }

  /// Applies an observation to an active rollout.
  public mutating func advance(_ seen: RolloutObservation) {
    guard phase.isActive else { return }
    if let failure = failure(seen) { return end(.failed, failure, at: seen.now) }
    switch phase {
    case .canary where seen.canaries.allSatisfy({ $0.state == .confirmed && $0.applied == revision }):
      (phase, since) = (.soak, seen.now)
    case .soak:
      if let ill = seen.canaries.first(where: { !$0.newProblems.isEmpty }) {
        since = seen.now
        reason = "\(ill.name) has a new problem: \(ill.newProblems[0])"
      } else {
        reason = ""
        // The health during the time without a worker is unknown.
        if seen.now - max(since, seen.watchedSince) >= soak { (phase, since) = (.rest, seen.now) }
      }
    case .canary, .rest, .stopped, .failed: break
    }
  }

  /// Ends an active rollout; false if it has ended already.
  public mutating func stop(by actor: String, at now: Instant) -> Bool {
    guard phase.isActive else { return false }
    end(.stopped, "by \(actor)", at: now)
    return true
  }

  /// Continues a rollout in the phase in which it ended, with new limits of time.
  public mutating func resume(_ seen: RolloutObservation) throws(RolloutError) {
    guard let interrupted else { throw .active(revision) }
    if interrupted != .rest, let canary = seen.canaries.first(where: { $0.hasFailed || $0.isRevoked }) {
      throw .lost(canary: canary.name, isRevoked: canary.isRevoked)
    }
    (phase, since, reason, self.interrupted, acceptedFailures) = (interrupted, seen.now, "", nil, seen.failed)
  }

  private mutating func end(_ phase: Phase, _ reason: String, at now: Instant) {
    interrupted = self.phase
    (self.phase, self.reason, since) = (phase, reason, now)
  }

  /// Returns the reason to send nothing more; nil if there is none.
  private func failure(_ seen: RolloutObservation) -> String? {
    if phase == .rest {
      let failures = seen.failed - acceptedFailures
      guard failures >= Self.fewestFailures, failures * Self.failureShare > seen.confirmed + failures else { return nil }
      return "\(failures) of \(seen.confirmed + failures) devices have refused it or rolled it back"
    }
    for canary in seen.canaries {
      if let failure = failure(of: canary, seen) { return "\(canary.name) \(failure)" }
    }
    return nil
  }

  private func failure(of canary: RolloutObservation.Canary, _ seen: RolloutObservation) -> String? {
    if canary.isRevoked { return "was revoked" }
    let reason = canary.text.isEmpty ? "" : ": \(canary.text)"
    switch canary.state {
    case .refused: return "refused it\(reason)"
    case .rolledBack: return "rolled it back\(reason)"
    case .confirmed, .onTrial, nil: break
    }
    if phase == .soak {
      if canary.applied != revision { return "uses revision \(canary.applied)" }
      let silence = seen.now - max(seen.watchedSince, canary.heard ?? seen.watchedSince)
      return silence >= Self.silenceLimit ? "has sent nothing for \(Self.silenceLimit.minutes) minutes" : nil
    }
    guard canary.state != .confirmed || canary.applied != revision, let sent = canary.sent else { return nil }
    return seen.now - max(since, sent, seen.watchedSince) >= Self.trialLimit
      ? "has not confirmed it in \(Self.trialLimit.minutes) minutes" : nil
  }
}

/// The reason why a rollout cannot be continued.
public enum RolloutError: Error, Hashable, Sendable, CustomStringConvertible {
  case active(Int64)
  /// A canary that cannot take this revision any more.
  case lost(canary: String, isRevoked: Bool)

  public var description: String {
    switch self {
    case .active(let revision): "rollout \(revision) is in progress"
    case .lost(let canary, true): "the canary \(canary) is revoked; start a rollout with another canary and a greater revision"
    case .lost(let canary, false):
      "the canary \(canary) has refused this revision or rolled it back, and takes none twice; sign one with a greater revision"
    }
  }
}

extension Span {
  fileprivate var minutes: Int64 { microseconds / 60_000_000 }
}
