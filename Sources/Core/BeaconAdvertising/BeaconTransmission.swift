import Beacons
import Instants

/// A beacon that this machine advertises.
public struct BeaconTransmission: Hashable, Sendable {
  public var beacon: BeaconPayload
  /// The adapter that advertises; nil selects the first capable one.
  public var adapter: BluetoothAddress?
  /// The interval between two advertisements, if the adapter and BlueZ support it.
  public var interval: Span
  /// The transmit power in dBm that is requested from the adapter; nil leaves the choice to the adapter.
  public var transmitPower: Int8?

  /// The measured power that most beacons advertise, and that suits most phones and dongles.
  public static let defaultMeasuredPower: Int8 = -59
  /// The interval that receivers expect (Apple, Proximity Beacon Specification R1).
  public static let defaultInterval = Span.milliseconds(100)
  /// The supported intervals.
  /// 100 ms is the minimum for non-connectable advertisements of Bluetooth 4 controllers (Core Specification 4.2, Volume 2, Part E,
  /// 7.8.5). BlueZ accepts at most the longest interval that every controller supports.
  public static let intervals = Span.milliseconds(100)...Span.seconds(10)
  /// The transmit powers in dBm that HCI supports (Core Specification 5.4, Volume 4, Part E, 7.8.53).
  public static let transmitPowers = -127...20
  /// The plausible measured powers at 1 m in dBm; receivers reject any other value.
  public static let measuredPowers = -100...(-20)

  public init(_ beacon: BeaconPayload, adapter: BluetoothAddress? = nil, interval: Span = defaultInterval, transmitPower: Int8? = nil) {
    self.beacon = beacon
    self.adapter = adapter
    self.interval = interval
    self.transmitPower = transmitPower
  }
}
