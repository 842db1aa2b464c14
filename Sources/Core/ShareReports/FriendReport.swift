public import Instants
public import Records

/// A share that was offered to this device.
public struct FriendReport: Hashable, Identifiable, Sendable {
  /// The values of a share as the notifier reports them.
  public struct Values: RecordRepresentable, Hashable {
    public var id: String?
    public var owner: String?
    public var tag: String?
    public var purpose: String?
    public var ends: Instant?
    /// `offered` or `accepted`.
    public var state: String?
    public var latitude: Double?
    public var longitude: Double?
    public var horizontalAccuracy: Double?
    public var floor: Int64?
    public var level: String?
    public var venue: String?
    public var description: String?
    public var room: String?
    public var time: Instant?

    public init() {}

    public static let fields: [RecordField<Self>] = [
      RecordField("id", \.id),
      RecordField("owner", \.owner),
      RecordField("tag", \.tag),
      RecordField("purpose", \.purpose),
      RecordField("ends", \.ends),
      RecordField("state", \.state),
      RecordField("latitude", \.latitude, decimals: 7),
      RecordField("longitude", \.longitude, decimals: 7),
      RecordField("horizontalAccuracy", \.horizontalAccuracy, decimals: 2),
      RecordField("floor", \.floor),
      RecordField("level", \.level),
      RecordField("venue", \.venue),
      RecordField("description", \.description),
      RecordField("room", \.room),
      RecordField("time", \.time),
    ]
  }

  /// The report with the types and the decimals of its keys. It keeps the keys that this version does not know.
  public let record: Record
  public let id: String
  /// The owner: a person, or `device:` and the name of a device.
  public let owner: String
  /// The tag of a person; nil for the position of a device.
  public let tag: String?
  public let purpose: String
  public let isAccepted: Bool
  public let ends: Instant?
  /// The time of the position.
  public let time: Instant?
  /// Degrees, WGS84; nil while they are unknown.
  public let coordinate: (latitude: Double, longitude: Double)?
  public let level: String?
  public let venue: String?
  /// The room of a tag, or of a device that hangs there.
  public let room: String?
  public let description: String?

  /// Nil without an id and an owner.
  public init?(_ record: Record) {
    let values = Values(record)
    guard let id = values.id, let owner = values.owner else { return nil }
    (self.record, self.id, self.owner, tag) = (Values.formatted(record), id, owner, values.tag)
    (purpose, isAccepted) = (values.purpose ?? "", values.state == "accepted")
    (ends, time) = (values.ends, values.time)
    if let latitude = values.latitude, let longitude = values.longitude { coordinate = (latitude, longitude) } else { coordinate = nil }
    (level, venue, room, description) = (values.level, values.venue, values.room, values.description)
  }

  /// Whether a text names this friend: the owner with or without "device:", the tag, or the beginning of the id.
  public func isNamed(_ text: String) -> Bool {
    [owner, String(owner.split(separator: ":").last ?? ""), tag].contains { $0?.lowercased() == text.lowercased() }
      || text.count >= 4 && id.hasPrefix(text.lowercased())
  }

  public static func == (a: FriendReport, b: FriendReport) -> Bool { a.record == b.record }

  public func hash(into hasher: inout Hasher) { hasher.combine(record) }
}
