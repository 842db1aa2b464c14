import Records

/// The server that finds the addresses of locations.
public struct GeocodingStatus: RecordRepresentable, Hashable {
  public enum State: String, CaseIterable, RecordFieldValue {
    /// No request yet.
    case idle
    case answering
    case failing
  }

  /// The address of the server.
  public var server: String?
  public var state: State?
  /// The number of answers since the start of the daemon.
  public var answers: UInt64?
  /// The number of answers that the daemon keeps.
  public var known: UInt64?
  /// The reason of the last failure; nil if there is none.
  public var note: String?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("server", \.server),
    RecordField("state", \.state),
    RecordField("answers", \.answers),
    RecordField("known", \.known),
    RecordField("note", \.note),
  ]
}
