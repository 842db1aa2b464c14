import Instants
import Records

/// The connection of the notifier to the hub of a fleet.
public struct HubStatus: RecordRepresentable, Hashable {
  public var isConnected: Bool?
  /// The reason why there is no connection, or why messages of the hub do not arrive on it.
  public var trouble: String?
  /// Whether the hub has sent the shares with this device since the connection, so that a missing one is over.
  public var hasListedShares: Bool?
  /// The rollout that the device has received last; nil if there is none.
  public var rollout: Rollout?

  public init() {}

  public init(isConnected: Bool, trouble: String?, hasListedShares: Bool) {
    (self.isConnected, self.trouble, self.hasListedShares) = (isConnected, trouble, hasListedShares)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("connected", \.isConnected),
    RecordField("trouble", \.trouble),
    RecordField("sharesListed", \.hasListedShares),
    RecordField("rollout", \.rollout),
  ]
}

extension HubStatus {
  /// A rollout of configuration.
  public struct Rollout: RecordRepresentable, Hashable {
    public enum State: String, CaseIterable, RecordFieldValue {
      case onTrial
      case confirmed
      /// The device has never used the rollout.
      case refused
      /// The device has returned to the former configuration.
      case rolledBack
    }

    /// The revision; 0 for a rollout that could not be read.
    public var revision: Int64?
    public var state: State?
    /// The start of the trial since the Unix epoch; nil unless it is on trial.
    public var since: Instant?
    /// The reason for a refusal or a rollback; nil otherwise.
    public var reason: String?

    public init() {}

    public init(revision: Int64, state: State, since: Instant? = nil, reason: String? = nil) {
      (self.revision, self.state, self.since, self.reason) = (revision, state, since, reason)
    }

    public static let fields: [RecordField<Self>] = [
      RecordField("revision", \.revision),
      RecordField("state", \.state),
      RecordField("since", \.since),
      RecordField("reason", \.reason),
    ]
  }
}
