import BeaconAdvertising
import Instants
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
  /// The start of the gate's pause, since the Unix epoch; nil while no gate suspends the scan.
  public var pausedSince: Instant?
  /// True after the end of a recording or a simulation, which the daemon does not play again; nil before, and for adapters.
  public var hasEnded: Bool?
  public var statistics: AdvertisementStatistics?

  public init() {}

  public init(name: String, choice: String? = nil, state: SourceState? = nil, note: String? = nil, hasEnded: Bool? = nil) {
    (self.name, self.choice, self.state, self.note, self.hasEnded) = (name, choice, state, note, hasEnded)
  }

  public static let fields: [RecordField<Self>] = [
    RecordField("source", \.name),
    RecordField("sourceChoice", \.choice),
    RecordField("sourceReason", \.reason),
    RecordField("sourceState", \.state),
    RecordField("sourceNote", \.note),
    RecordField("sourcePausedSince", \.pausedSince),
    RecordField("sourceEnded", \.hasEnded),
    RecordField("statistics", \.statistics),
  ]
}

extension SourceState: RecordFieldValue {}
