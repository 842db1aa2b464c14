import Consent
import Instants
import Records

/// The decisions about users, their requests and uses, and the regions of their apps, as `beaconmon privacy` shows them.
public struct PrivacyStatus: RecordRepresentable, Hashable {
  public var locationServices = LocationServicesStatus()
  public var decisions: [Decision]?
  public var requests: [Request]?
  public var uses: [Use]?
  public var registrations: [Registration]?

  public init() {}

  public static let fields: [RecordField<Self>] =
    LocationServicesStatus.fields.map { $0.of(\.locationServices) } + [
      RecordField("decisions", \.decisions),
      RecordField("requests", \.requests),
      RecordField("uses", \.uses),
      RecordField("registrations", \.registrations),
    ]
}

extension Authorization: RecordFieldValue {}

extension Subject.Kind: RecordFieldValue {}

extension PrivacyStatus {
  /// A decision about a user or a group.
  public struct Decision: RecordRepresentable, Hashable {
    public enum Author: String, CaseIterable, RecordFieldValue {
      case administrator
      case polkit
    }

    public var kind: Subject.Kind?
    public var number: UInt64?
    /// The name; nil if the machine has no such user or group.
    public var name: String?
    public var authorization: Authorization?
    public var decidedBy: Author?
    public var time: Instant?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("kind", \.kind),
      RecordField("number", \.number),
      RecordField("name", \.name),
      RecordField("authorization", \.authorization),
      RecordField("decidedBy", \.decidedBy),
      RecordField("time", \.time),
    ]
  }

  /// A user, and the claims of the user's program about itself.
  public struct Claim: RecordRepresentable, Hashable {
    public var user: UInt64?
    /// The name of the user; nil if the machine has no such user.
    public var userName: String?
    /// The id of the app; nil if the program states none.
    public var appID: String?
    public var purpose: String?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("user", \.user),
      RecordField("userName", \.userName),
      RecordField("appId", \.appID),
      RecordField("purpose", \.purpose),
    ]
  }

  /// The latest request of a program, with the permission that it has now.
  public struct Request: RecordRepresentable, Hashable {
    public var claim = Claim()
    public var authorization: Authorization?
    public var time: Instant?

    public init() {}

    public static let fields: [RecordField<Self>] =
      Claim.fields.map { $0.of(\.claim) } + [
        RecordField("authorization", \.authorization),
        RecordField("time", \.time),
      ]
  }

  /// A period in which a program received data.
  public struct Use: RecordRepresentable, Hashable {
    public var claim = Claim()
    public var began: Instant?
    /// The end; nil while the use lasts, and if the daemon ended first.
    public var ended: Instant?
    public var inUse: Bool?

    public init() {}

    public static let fields: [RecordField<Self>] =
      Claim.fields.map { $0.of(\.claim) } + [
        RecordField("began", \.began),
        RecordField("ended", \.ended),
        RecordField("inUse", \.inUse),
      ]
  }

  /// A region that an app has registered.
  public struct Registration: RecordRepresentable, Hashable {
    public var claim = Claim()
    public var identifier: String?
    public var time: Instant?
    /// Whether the registration has no effect because its user may not use `always`.
    public var isIdle: Bool?

    public init() {}

    public static let fields: [RecordField<Self>] =
      Claim.fields.map { $0.of(\.claim) } + [
        RecordField("identifier", \.identifier),
        RecordField("time", \.time),
        RecordField("idle", \.isIdle),
      ]
  }
}
