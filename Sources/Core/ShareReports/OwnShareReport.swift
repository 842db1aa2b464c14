import Instants
import Records

/// A share of this device's position with others, as the notifier reports it.
public struct OwnShareReport: RecordRepresentable, Hashable {
  public var id: String?
  public var purpose: String?
  public var begins: Instant?
  public var ends: Instant?
  /// The user of this device who has offered the share.
  public var user: UInt64?
  public var recipients: [Recipient]?
  /// Whether the device sends its position to the hub for this share.
  public var isSending: Bool?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("id", \.id),
    RecordField("purpose", \.purpose),
    RecordField("begins", \.begins),
    RecordField("ends", \.ends),
    RecordField("user", \.user),
    RecordField("recipients", \.recipients),
    RecordField("sending", \.isSending),
  ]
}

extension OwnShareReport {
  public struct Recipient: RecordRepresentable, Hashable {
    /// A person, `role:` and a role, or `device:` and a device.
    public var name: String?
    /// The answer; nil until the hub has reported it.
    public var state: String?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("name", \.name),
      RecordField("state", \.state),
    ]
  }
}
