import Beacons

/// A malformed literal becomes the address of zeros.
extension BluetoothAddress: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    self = BluetoothAddress(text) ?? BluetoothAddress(reversed: [])
  }
}
