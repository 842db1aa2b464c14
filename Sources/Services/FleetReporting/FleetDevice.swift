import FleetMessages
import Status

/// The device that reports its state to a hub.
public protocol FleetDevice: AnyObject {
  /// The present state of this program.
  var notifier: NotifierState { get }
  /// Requests the present state of the daemon. `completion` is never called inside this call.
  func requestState(_ completion: @escaping (DaemonState) -> Void)
}

/// The state of the notifier for the reports to a hub.
public struct NotifierState: Hashable, Sendable {
  public var version: String
  /// The revision of the rollout in the notifier's configuration; nil if there is none.
  public var revision: Int64?
  /// The SHA-256 of the effective configuration; nil if it is unknown.
  public var configuration: [UInt8]?
  /// Octets that are free on the disk of the state; nil if this is unknown.
  public var freeSpace: Int64?
  /// Whether the clock is synchronised; nil if this is unknown.
  public var isClockSynchronised: Bool?
  /// The reason for which the notifier refused its last reload; nil after a good one.
  public var refusedReload: String?

  public init(
    version: String, revision: Int64? = nil, configuration: [UInt8]? = nil, freeSpace: Int64? = nil, isClockSynchronised: Bool? = nil,
    refusedReload: String? = nil
  ) {
    (self.version, self.revision, self.configuration) = (version, revision, configuration)
    (self.freeSpace, self.isClockSynchronised, self.refusedReload) = (freeSpace, isClockSynchronised, refusedReload)
  }
}

/// The health of the daemon, and the rollout that it uses.
public struct DaemonState: Hashable, Sendable {
  /// Whether the daemon has answered. Otherwise it may just be starting, and nothing is known about its health.
  var isAnswering = true
  /// The revision of the rollout in use; nil if there is none.
  var revision: Int64?
  var severity: HealthSeverity
  /// The problems for people, the most severe ones first.
  var problems: [String]

  init(revision: Int64?, severity: HealthSeverity, problems: [String] = []) {
    (self.revision, self.severity, self.problems) = (revision, severity, problems)
  }

  /// - Parameter isMachineSynchronised: whether the clock of this machine is synchronised; nil if it is unknown.
  public init(_ status: MonitorStatus, isMachineSynchronised: Bool?) {
    self.init(HealthReport(status, isMachineSynchronised: isMachineSynchronised), revision: status.configuration?.rollout)
  }

  /// Creates the state of a daemon that does not answer for this reason.
  public init(unreachable reason: String) {
    self.init(HealthReport(unreachable: reason), revision: nil)
    isAnswering = false
  }

  private init(_ health: HealthReport, revision: Int64?) {
    let severity: HealthSeverity =
      switch health.state {
      case .ok, nil: .ok
      case .degraded: .degraded
      case .failed: .failed
      }
    self.init(revision: revision, severity: severity, problems: (health.problems ?? []).compactMap(\.note))
  }
}

extension DeviceReport {
  /// Creates a report without digests and messages of the hub.
  init(_ notifier: NotifierState, _ daemon: DaemonState) {
    self.init(
      version: notifier.version, revision: notifier.revision ?? 0, configuration: notifier.configuration, freeSpace: notifier.freeSpace,
      isClockSynchronised: notifier.isClockSynchronised,
      problems: daemon.problems + (notifier.refusedReload.map { ["the notifier refused a reload: \($0)"] } ?? []))
  }
}
