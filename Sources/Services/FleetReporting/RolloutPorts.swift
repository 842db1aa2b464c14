import FleetMessages

/// The file of the rollouts.
public protocol RolloutStore: AnyObject {
  /// Returns the octets; nil if there is no file.
  func read() throws -> [UInt8]?
  /// Replaces the file at once and durably.
  func write(_ octets: [UInt8]) throws
}

/// The programs of a device that use a rolled-out configuration.
public protocol RolloutDevice: AnyObject {
  /// The last known severity of the daemon's health; nil before the daemon has answered.
  var severity: HealthSeverity? { get }
  /// The clock by which readers of the file end a trial.
  var trialClock: TrialClock { get }
  /// Returns the reason for which the configuration is invalid with a rollout; nil if it is valid.
  ///
  /// Throws if this cannot be decided now, because the configuration cannot be read or is invalid without the rollout.
  func problem(with rollout: SignedRollout) throws -> String?
  /// Makes this program and the daemon read the configuration again. A daemon that does not run reads it when it starts.
  ///
  /// - Parameter completion: Takes whether the daemon has received the request; never called inside this call.
  func reload(_ completion: @escaping (Bool) -> Void)
  /// Requests the present state of the daemon; nil if it does not answer. `completion` is never called inside this call.
  func requestUse(_ completion: @escaping (RolloutUse?) -> Void)
}

/// The rollout that the daemon uses, and its health.
public struct RolloutUse: Hashable, Sendable {
  /// The revision in use; nil if there is none.
  public var revision: Int64?
  public var severity: HealthSeverity
  /// The first problem of the daemon; nil if there is none.
  public var problem: String?

  public init(revision: Int64?, severity: HealthSeverity, problem: String? = nil) {
    (self.revision, self.severity, self.problem) = (revision, severity, problem)
  }
}
