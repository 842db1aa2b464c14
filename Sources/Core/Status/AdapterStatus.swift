import Beacons
import Instants
import RadioHealth
import Records

/// A Bluetooth adapter, as clients see it.
public struct AdapterStatus: RecordRepresentable, Hashable {
  public var address: BluetoothAddress?
  /// The kernel name, such as `hci0`; nil while the adapter is gone.
  public var name: String?
  public var state: AdapterHealth.State?
  /// The start of the state since the Unix epoch.
  public var since: Instant?
  /// The rate of reports from all devices over the last seconds.
  public var reportsPerSecond: Double?
  /// The time of the last report since the Unix epoch; nil before the first one.
  public var lastReport: Instant?
  /// The problem and its remedy; nil if there is none.
  public var note: String?
  /// The configured offset in dB.
  public var rssiOffset: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("address", \.address),
    RecordField("name", \.name),
    RecordField("state", \.state),
    RecordField("since", \.since),
    RecordField("reportsPerSecond", \.reportsPerSecond, decimals: 1),
    RecordField("lastReport", \.lastReport),
    RecordField("note", \.note),
    RecordField("rssiOffset", \.rssiOffset, decimals: 1, isExact: true),
  ]
}

extension AdapterHealth.State: RecordFieldValue {}
