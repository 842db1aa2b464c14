import BeaconAdvertising
import RadioHealth
import Records

/// The daemon's source of beacons.
public struct SourceStatus: RecordRepresentable, Hashable {
  /// The name as in the config: `auto`, `capture:walk.btsnoop`.
  public var name: String?
  /// The choice of a source that chooses; nil for any other.
  public var choice: String?
  /// The reason for the choice.
  public var reason: String?
  public var state: SourceState?
  /// The problem of the whole source, or the gate that suspends the scan; nil if there is neither.
  public var note: String?
  public var statistics: AdvertisementStatistics?

  public init() {}

  public init(name: String, choice: String? = nil, state: SourceState? = nil, note: String? = nil) {
    (self.name, self.choice, self.state, self.note) = (name, choice, state, note)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("source", \.name),
    RecordField("sourceChoice", \.choice),
    RecordField("sourceReason", \.reason),
    RecordField("sourceState", \.state),
    RecordField("sourceNote", \.note),
    RecordField("statistics", \.statistics),
  ]
}

extension SourceStatus {
  /// The start of the note about a gate that suspends the scan.
  public static let gateNote = "scanning paused since"

  /// Whether the source has nothing more to play.
  ///
  /// A recording or a simulation has an end, unlike the adapters of a machine. The bus has no value of its own for the end: its state is
  /// `paused`, as while a gate suspends the scan, during which the recording plays on. Only the note tells these two apart.
  public var hasEnded: Bool {
    state == .paused && ["capture:", "simulator:"].contains { name?.hasPrefix($0) == true } && note?.hasPrefix(Self.gateNote) != true
  }
}

extension SourceState: RecordFieldValue {}
