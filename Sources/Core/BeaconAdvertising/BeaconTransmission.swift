import Instants

/// A beacon that this machine is to be.
public struct BeaconTransmission: Hashable, Sendable {
  public var beacon: IBeacon
  /// The adapter that sends it; nil for the first that can.
  public var adapter: BluetoothAddress?
  /// From one advertisement to the next, where the adapter and BlueZ can.
  public var interval: Span
  /// What the adapter is asked to send with, dBm; nil leaves that to it.
  public var transmitPower: Int8?

  /// The power that most beacons tell, and most transmitters of phones and dongles come near to.
  public static let defaultMeasuredPower: Int8 = -59
  /// What receivers are made for (Apple, Proximity Beacon Specification R1).
  public static let defaultInterval = Span.milliseconds(100)
  /// Controllers of Bluetooth 4 send what nobody can connect to no faster (Core Specification 4.2, Volume 2, Part E, 7.8.5); BlueZ takes the
  /// slowest that every controller can.
  public static let intervals = Span.milliseconds(100)...Span.seconds(10)
  /// What HCI can ask of a controller, dBm (Core Specification 5.4, Volume 4, Part E, 7.8.53).
  public static let transmitPowers = -127...20
  /// What can honestly be measured at 1 m, dBm; receivers take no other for true.
  public static let measuredPowers = -100...(-20)

  public init(_ beacon: IBeacon, adapter: BluetoothAddress? = nil, interval: Span = defaultInterval, transmitPower: Int8? = nil) {
    self.beacon = beacon
    self.adapter = adapter
    self.interval = interval
    self.transmitPower = transmitPower
  }
}
