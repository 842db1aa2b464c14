import Beacons
import Instants

/// One advertisement of a beacon as received by one adapter.
public struct Sighting: Hashable, Sendable {
  public var beacon: BeaconIdentity
  /// The RSSI in dBm at 1 m as the beacon advertises it, which may be implausible.
  public var measuredPower: Int8
  /// The RSSI in dBm; nil if the controller reports none (127) or an impossible value (above +20).
  public var rssi: Int8?
  public var format: BeaconFormat
  /// The adapter, by its number in the source's `AdapterRoster`.
  public var adapter: UInt16
  /// The last four octets of the address, which tell transmitters of the same beacon apart; 0 if it is unknown.
  ///
  /// The octets lie where a sighting would otherwise have padding.
  public var transmitter: UInt32
  public var time: Instant

  @inlinable
  public init(
    beacon: BeaconIdentity, measuredPower: Int8, rssi: Int8?, format: BeaconFormat = .iBeacon, adapter: UInt16 = 0,
    transmitter: UInt32 = 0, time: Instant
  ) {
    self.beacon = beacon
    self.measuredPower = measuredPower
    self.rssi = rssi
    self.format = format
    self.adapter = adapter
    self.transmitter = transmitter
    self.time = time
  }
}
