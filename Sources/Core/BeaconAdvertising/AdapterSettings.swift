/// What the config says of one adapter.
public struct AdapterSettings: Hashable, Sendable {
  public var address: BluetoothAddress
  /// False: whatever it hears does not count, and nobody is asked to scan with it.
  public var isUsed: Bool
  /// Added to the RSSI of what it hears, dB: positive for an adapter that hears more weakly than the others.
  public var rssiOffset: Double

  public init(address: BluetoothAddress, isUsed: Bool = true, rssiOffset: Double = 0) {
    self.address = address
    self.isUsed = isUsed
    self.rssiOffset = rssiOffset
  }
}
