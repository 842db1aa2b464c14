import Beacons
import Instants
import Records

/// A beacon that this machine advertises.
public struct AdvertisedBeacon: RecordRepresentable, Hashable {
  public enum State: String, CaseIterable, RecordFieldValue {
    case starting
    case advertising
    case waiting
  }

  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  /// The measured power in dBm at 1 m.
  public var measuredPower: Int64?
  public var state: State?
  /// The adapter that advertises the beacon; nil while none does.
  public var adapter: BluetoothAddress?
  /// The reason for waiting, or deviations from the request; nil if there are none.
  public var note: String?
  /// The start of the state since the Unix epoch.
  public var since: Instant?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("measuredPower", \.measuredPower),
    RecordField("state", \.state),
    RecordField("adapter", \.adapter),
    RecordField("note", \.note),
    RecordField("since", \.since),
  ]
}
