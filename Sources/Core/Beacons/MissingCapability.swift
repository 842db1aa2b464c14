import Records

/// A required capability that the device lacks at present.
public struct MissingCapability: RecordRepresentable, Hashable {
  /// The name of a `RequiredCapability`, perhaps of another version.
  public var capability: String?
  /// The reason, and what to do.
  public var note: String?

  public init() {}

  public init(_ capability: RequiredCapability, _ note: String) {
    (self.capability, self.note) = (capability.rawValue, note)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("capability", \.capability),
    RecordField("note", \.note),
  ]

  /// The capability and the reason: `gps: no satellite receiver is configured; …`.
  public var text: String { "\(capability ?? "unknown"): \(note ?? "missing")" }
}
