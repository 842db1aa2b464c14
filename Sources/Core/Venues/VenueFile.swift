public import Instants
public import Records

/// The file of a venue of this device.
public struct VenueFile: RecordRepresentable, Hashable {
  /// The id of the venue.
  public var venue: String?
  public var file: String?
  /// Whether clients may replace the file; one of the configuration belongs to its author.
  public var editable: Bool?
  public var active: Bool?
  /// The revision of an editable file, which is the same for the same text.
  public var revision: String?
  /// The reason why the file is not in use; nil if it is.
  public var note: String?

  public init() {}

  public init(_ venue: String, file: String, revision: String? = nil, note: String? = nil) {
    (self.venue, self.file, self.revision, self.note) = (venue, file, revision, note)
    (editable, active) = (revision != nil, note == nil)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("venue", \.venue),
    RecordField("file", \.file),
    RecordField("editable", \.editable),
    RecordField("active", \.active),
    RecordField("revision", \.revision),
    RecordField("note", \.note),
  ]
}

/// A text that the file of a venue has or had.
public struct VenueVersion: RecordRepresentable, Hashable {
  public var revision: String?
  /// The time since the Unix epoch at which the text was saved over the bus, or was found in the folder.
  public var time: Instant?
  /// The length of the text in octets of UTF-8.
  public var size: UInt64?
  /// The number of the user who saved it; nil for a text that was found in the folder.
  public var user: UInt64?

  public init() {}

  public init(_ revision: String, time: Instant, size: Int, user: UInt32?) {
    (self.revision, self.time, self.size, self.user) = (revision, time, UInt64(size), user.map(UInt64.init))
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("revision", \.revision),
    RecordField("time", \.time),
    RecordField("size", \.size),
    RecordField("user", \.user),
  ]
}
