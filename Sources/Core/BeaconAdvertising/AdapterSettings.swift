import Beacons

/// The configuration of one adapter.
public struct AdapterSettings: Hashable, Sendable {
  public var address: BluetoothAddress
  /// Whether the adapter is used; if false, its sightings are ignored and it is not asked to scan.
  public var isUsed: Bool
  /// The offset in dB that is added to the adapter's RSSI: positive for an adapter that is less sensitive than the others.
  public var rssiOffset: Double
  /// Whether the configuration states the offset, zero or not, so that the level of the adapter is known.
  public var isCalibrated: Bool

  public init(address: BluetoothAddress, isUsed: Bool = true, rssiOffset: Double = 0, isCalibrated: Bool = false) {
    self.address = address
    self.isUsed = isUsed
    self.rssiOffset = rssiOffset
    self.isCalibrated = isCalibrated
  }
}
