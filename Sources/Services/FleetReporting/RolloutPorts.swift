import FleetMessages

/// The file of the rollouts.
public protocol RolloutStore: AnyObject {
  /// Returns the octets; nil if there is no file.
  func read() throws -> [UInt8]?
  /// Replaces the file at once and durably.
  func write(_ octets: [UInt8]) throws
}

/// The programs of a device that use a rolled-out configuration.
public protocol RolloutDevice: FleetDevice {
  /// The clock by which readers of the file end a trial.
  var trialClock: TrialClock { get }
  /// Returns the reason for which the configuration is invalid with a rollout; nil if it is valid.
  ///
  /// Throws if this cannot be decided now, because the configuration cannot be read or is invalid without the rollout.
  func problem(with rollout: SignedRollout) throws -> String?
  /// Makes this program and the daemon read the configuration again. A daemon that does not run reads it when it starts.
  ///
  /// - Parameter completion: never called inside this call.
  func reload(_ completion: @escaping (ReloadAnswer) -> Void)
}

/// The answer of the daemon to a request to read its configuration again.
public enum ReloadAnswer: Hashable, Sendable {
  case done
  /// The daemon has read the configuration, and keeps the former one for this reason.
  case refused(String)
  /// The request did not reach the daemon, or was not answered, for this reason.
  case lost(String)
}
