import BeaconAdvertising

/// What is no address is that of zeros.
extension BluetoothAddress: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    self = BluetoothAddress(text) ?? BluetoothAddress(reversed: [])
  }
}
