import Records

/// The connection of the notifier to the hub of a fleet.
public struct HubStatus: RecordRepresentable, Hashable {
  public var isConnected: Bool?
  /// The reason for which there is no connection, or for which messages of the hub do not arrive on it.
  public var trouble: String?
  /// Whether the hub has sent the shares with this device since the connection, so that a missing one is over.
  public var hasListedShares: Bool?

  public init() {}

  public init(isConnected: Bool, trouble: String?, hasListedShares: Bool) {
    (self.isConnected, self.trouble, self.hasListedShares) = (isConnected, trouble, hasListedShares)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("connected", \.isConnected),
    RecordField("trouble", \.trouble),
    RecordField("sharesListed", \.hasListedShares),
  ]
}
