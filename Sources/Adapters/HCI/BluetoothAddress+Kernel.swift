import Beacons
import CBluetooth

extension BluetoothAddress {
  init(_ address: bdaddr_t) {
    self.init(reversed: withUnsafeBytes(of: address.b, Array.init))
  }
}
