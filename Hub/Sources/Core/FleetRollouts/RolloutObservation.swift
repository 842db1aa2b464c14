public import FleetMessages
public import Instants

/// The devices of a rollout at one time, by the clock of the database.
public struct RolloutObservation: Hashable, Sendable {
  /// A device that gets the rollout before the others.
  public struct Canary: Hashable, Sendable {
    /// Site and name, such as `berlin.door`.
    public var name: String
    public var isRevoked = false
    /// The time at which the hub wrote the message for it; nil if it has not yet.
    public var sent: Instant?
    /// The state of this rollout in its newest report; nil if no report has named the rollout.
    public var state: RolloutReport.State?
    /// The reason of the device for a refusal or a rollback.
    public var text = ""
    /// The revision that its newest report states as the one in use.
    public var applied: Int64 = 0
    /// The time of its newest message; nil if there was none.
    public var heard: Instant?
    /// The problems of its newest report that it did not have when the rollout began.
    public var newProblems: [String] = []

    public init(name: String) { self.name = name }

    /// Whether the device will never take this revision.
    public var hasFailed: Bool { state == .refused || state == .rolledBack }
  }

  public var now: Instant
  /// The time since which a worker has run and messages of devices have come in without a long gap.
  public var watchedSince: Instant
  public var canaries: [Canary]
  /// The other devices that have confirmed the rollout.
  public var confirmed: Int
  /// The other devices that have refused it or rolled it back.
  public var failed: Int

  public init(now: Instant, watchedSince: Instant, canaries: [Canary], confirmed: Int = 0, failed: Int = 0) {
    (self.now, self.watchedSince, self.canaries) = (now, watchedSince, canaries)
    (self.confirmed, self.failed) = (confirmed, failed)
  }
}
